package dev.hangup.it;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Hangup's metrics as Prometheus gets them: each series by its name and labels, {@code hangup_calls_total{endpoint="..."}}. */
public record Scrape(Map<String, Double> series) {

    public static Scrape parse(String text) {
        Map<String, Double> series = new TreeMap<>();
        text.lines().filter(line -> line.startsWith("hangup_")).forEach(line -> {
            int value = line.lastIndexOf(' ');
            series.put(line.substring(0, value), Double.valueOf(line.substring(value + 1)));
        });
        return new Scrape(series);
    }

    /** The sum of all series of this name that have these labels, each {@code name="value"}; 0 if there is none. */
    public double sum(String name, String... labels) {
        return series.entrySet().stream()
                .filter(one -> name.equals(one.getKey().replaceFirst("\\{.*", ""))
                        && Arrays.stream(labels).allMatch(one.getKey()::contains))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** As {@link #sum}, of counters that count whole things. */
    public long count(String name, String... labels) {
        return Math.round(sum(name, labels));
    }

    public static String label(String name, String value) {
        return name + "=\"" + value + '"';
    }

    public static String endpoint(String name) {
        return label("endpoint", name);
    }

    public static String reason(String name) {
        return label("reason", name);
    }

    public static String outcome(String name) {
        return label("outcome", name);
    }

    /** What tells of this very moment and must be 0 when nothing runs: all gauges except those that tell of the configuration. */
    public Map<String, Double> momentary() {
        return where(name ->
                name.matches("hangup_(unowned_calls|unowned_seconds|pool_share|pool_unowned|stuck_calls)(\\{.*)?"));
    }

    private Map<String, Double> where(Predicate<String> name) {
        return series.entrySet().stream()
                .filter(one -> name.test(one.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
