package dev.hangup.tune;

import dev.hangup.tune.prometheus.Buckets;
import dev.hangup.tune.prometheus.QueryApi;
import dev.hangup.tune.prometheus.Stretches;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls of a fleet from the histograms that its servers keep: Micrometer's of requests, by method, uri and status, and
 * Hangup's of calls and of the callers' patience, by endpoint. What an instance had counted before the server first saw it is nobody's.
 */
final class FleetReading {

    private static final String REQUESTS = "http_server_requests_seconds_bucket";
    private static final String CALLS = "hangup_call_seconds_bucket";
    private static final String PATIENCE = "hangup_caller_patience_seconds_bucket";
    /** Names that Micrometer gives to requests without an endpoint. */
    private static final Set<String> NOT_ENDPOINTS = Set.of("UNKNOWN", "NOT_FOUND", "REDIRECTION", "root", "/**");

    private final QueryApi api;
    private final String matching;
    private final WindowClock clock;
    private final Runs runs;
    private final Function<String, @Nullable Route> routes;
    private final Map<String, FleetSeries> series = new LinkedHashMap<>();

    /**
     * @param runs hours or days
     * @param routes what an endpoint's name belongs to; null: nothing that is asked for
     */
    FleetReading(
            QueryApi api, String matching, WindowClock clock, Runs runs, Function<String, @Nullable Route> routes) {
        this.api = api;
        this.matching = matching;
        this.clock = clock;
        this.runs = runs;
        this.routes = routes;
    }

    /** @param fromMillis the first moment that counts, as {@code toMillis} is the last */
    List<FleetSeries> read(long fromMillis, long toMillis) {
        List<Stretches.Stretch> stretches =
                Stretches.of(fromMillis / 1_000, toMillis / 1_000, clock::windowAt, runs::of);
        for (Stretches.Query query : Stretches.queries(stretches)) {
            ask(query, REQUESTS, "method, uri, status");
            ask(query, CALLS, "endpoint, outcome");
            ask(query, PATIENCE, "endpoint");
        }
        return new ArrayList<>(series.values());
    }

    private void ask(Stretches.Query query, String metric, String labels) {
        String expression =
                "sum by (le, " + labels + ") (increase(" + metric + "{" + matching + "}[" + query.length() + "s]))";
        for (QueryApi.Sample sample : api.range(expression, query.start(), query.end(), query.step())) {
            Stretches.Stretch stretch = query.byEnd().get(sample.at());
            String endpoint = endpoint(sample.labels());
            FleetSeries.Kind kind = kind(sample.labels());
            Route route = stretch == null || endpoint == null ? null : routes.apply(endpoint);
            if (stretch != null && route != null && kind != null && Double.isFinite(sample.value())) {
                count(route, stretch, kind, sample);
            }
        }
    }

    private void count(Route route, Stretches.Stretch stretch, FleetSeries.Kind kind, QueryApi.Sample sample) {
        String window = clock.name(stretch.window());
        FleetSeries at = series.computeIfAbsent(
                route.name() + "\n" + window,
                key -> new FleetSeries(new Series(route, window, clock.in(stretch.window(), route::inForce))));
        Buckets buckets = at.in(stretch.run(), kind);
        String bound = sample.labels().getOrDefault("le", "+Inf");
        buckets.add(bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound), sample.value());
    }

    private static @Nullable String endpoint(Map<String, String> labels) {
        String endpoint = labels.get("endpoint");
        String uri = labels.getOrDefault("uri", "UNKNOWN");
        return endpoint != null ? endpoint : NOT_ENDPOINTS.contains(uri) ? null : labels.get("method") + " " + uri;
    }

    /** Null: what is counted otherwise, or says nothing of how long a call would have taken. */
    private static FleetSeries.@Nullable Kind kind(Map<String, String> labels) {
        String outcome = labels.get("outcome");
        if (outcome != null) {
            return switch (outcome) {
                case "completed" -> FleetSeries.Kind.COMPLETED;
                case "deadline_passed" -> FleetSeries.Kind.DEADLINE;
                default -> null;
            };
        }
        String status = labels.get("status");
        if (status == null) {
            return FleetSeries.Kind.PATIENCE;
        }
        return switch (status) {
            case "101" -> null;
            case "499" -> FleetSeries.Kind.LEFT;
            case "504" -> FleetSeries.Kind.KILLED;
            default -> status.startsWith("5") ? FleetSeries.Kind.FAILED : FleetSeries.Kind.ANSWERED;
        };
    }
}
