package dev.hangup.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The figures of a recommendation that are for whoever wants to know why: under their JSON keys. */
record Details(Search search, Targets targets, String window, Cells whole, Survival survival) {

    private static final List<Double> PARTS = List.of(0.25, 0.5, 0.75, 1.0);

    Map<String, Object> map(@Nullable Long value, @Nullable Issue issue, Grounds grounds) {
        Map<String, Object> map = new LinkedHashMap<>();
        double target = targets.ofCall(window);
        map.put("target", target);
        int missing = (int) Math.max(0, targets.minSamples() - survival.samples());
        map.put("reason", grounds.reason(value, issue, missing));
        if (value == null) {
            map.put("missing_samples", missing);
        } else {
            map.put("basis", grounds.basis(value));
            Long suffices = grounds.suffices();
            if (suffices != null) {
                map.put("suffices", suffices / 1e3);
            }
            double rate = survival.finishedBy(value);
            map.put("success_rate_bounds", List.of(survival.atLeast(value), survival.atMost(value)));
            map.put("shortfall", Search.meets(rate, target) ? 0.0 : target - rate);
            map.put("drop_rates", dropRates(value));
            if (targets.fanOut() > 1) {
                map.put("fan_out", fanOut(rate));
            }
        }
        map.put("failed", whole.errors.total());
        if (whole.departures.total() > 0) {
            map.put("patience", patience());
        }
        return map;
    }

    /** What would be dropped below the floor, at it and at the value: whether the floor is where it should be. */
    private List<Map<String, Object>> dropRates(long value) {
        Long floor = search.floor();
        TreeSet<Long> values = new TreeSet<>(List.of(value));
        PARTS.forEach(part -> values.add((long) ((floor == null ? value : floor) * part)));
        if (search.cap() != null) {
            values.add(search.cap());
        }
        List<Map<String, Object>> rates = new ArrayList<>();
        for (long each : values) {
            Map<String, Object> rate = new LinkedHashMap<>();
            rate.put("value", each / 1e3);
            rate.put("drop_rate", 1 - survival.finishedBy(each));
            rates.add(rate);
        }
        return rates;
    }

    private Map<String, Object> fanOut(double rate) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("calls", targets.fanOut());
        map.put("fetch_target", targets.ofFetch(window));
        map.put("call_drop_rate", 1 - rate);
        map.put("fetch_drop_rate", 1 - Math.pow(rate, targets.fanOut()));
        return map;
    }

    private Map<String, Object> patience() {
        Survival left = new Survival(whole.departures, new Histogram());
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("share", (double) whole.departures.total() / survival.samples());
        map.put("p50", left.percentile(0.5) / 1e3);
        map.put("p95", left.percentile(0.95) / 1e3);
        map.put("longest", left.slowest() / 1e3);
        return map;
    }
}
