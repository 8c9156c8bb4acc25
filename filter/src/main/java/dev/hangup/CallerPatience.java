package dev.hangup;

import dev.hangup.EndpointReading.Evidence;
import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.EndpointView;
import dev.hangup.call.Log;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Durations;
import dev.hangup.policy.TimeoutPair;
import dev.hangup.policy.Verdict;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads each endpoint's deadline beside its callers' patience, as they declare it or as their departures show it. Says so in the log
 * when an endpoint's verdict is another one than before and asks for something. Knows at most {@value #MOST} endpoints.
 */
final class CallerPatience implements CallListener {
    static final int MOST = 300;

    private final Map<String, Patience> byEndpoint = new ConcurrentHashMap<>();
    private final Map<String, EndpointView> views = new ConcurrentHashMap<>();
    private final Map<String, Verdict> told = new ConcurrentHashMap<>();
    /** Who is told of what is inferred; set before the first call. */
    private volatile CallListener others = new CallListener() {};

    void tell(CallListener listeners) {
        others = listeners;
    }

    /** The endpoints that the policy in force names, and those that cancel by default, in alphabetical order. Any thread. */
    List<EndpointReading> readings() {
        return views.values().stream()
                .map(view -> reading(view, byEndpoint.get(view.endpoint())))
                .sorted((one, other) -> one.endpoint().compareTo(other.endpoint()))
                .toList();
    }

    private static EndpointReading reading(EndpointView view, @Nullable Patience patience) {
        Duration declared = patience == null ? null : patience.declared();
        Duration observed = patience == null ? null : patience.timeout();
        Duration client = declared == null ? observed : declared;
        Evidence evidence = declared != null ? Evidence.DECLARED : observed != null ? Evidence.OBSERVED : Evidence.NONE;
        boolean reachable = patience == null || patience.isReachable();
        return new EndpointReading(
                view.endpoint(), new TimeoutPair(view.deadline(), client, view.cancels(), reachable), evidence);
    }

    /** One that is named no more has no deadline. */
    @Override
    public void endpointKnown(EndpointView endpoint) {
        if (endpoint.deadline().isZero()) {
            views.remove(endpoint.endpoint());
        } else if (views.size() < MOST || views.containsKey(endpoint.endpoint())) {
            views.put(endpoint.endpoint(), endpoint);
        }
    }

    @Override
    public void callerGone(CallScope call, CancelReason cause) {
        if (call.isQueued() || call.isCancelled()) {
            return; // how long it has waited is not known; or it had its answer
        }
        Patience patience = of(call.endpoint());
        if (patience != null && patience.left(Duration.ofNanos(Math.max(0, call.callerGoneAt() - call.startedAt())))) {
            others.callerTimeout(call.endpoint(), patience.timeout());
            say(call.endpoint(), patience);
        }
    }

    /** Every request comes here. */
    @Override
    public void ended(CallScope call, Outcome outcome) {
        Duration declared = call.declared();
        if (declared != null) {
            Patience patience = of(call.endpoint());
            if (patience != null) {
                patience.declared(declared);
                say(call.endpoint(), patience);
            }
        }
        if (outcome == Outcome.COMPLETED && !byEndpoint.isEmpty()) {
            Patience known = byEndpoint.get(call.endpoint());
            if (known != null) {
                known.answered();
            }
        }
    }

    private void say(String endpoint, Patience patience) {
        EndpointView view = views.get(endpoint);
        if (view == null) {
            return;
        }
        EndpointReading reading = reading(view, patience);
        Verdict verdict = reading.verdict();
        Duration client = reading.pair().client();
        // Nothing inferred just now takes back nothing: the same verdict a moment later is no news.
        if (client != null && told.put(endpoint, verdict) != verdict && verdict != Verdict.STABLE) {
            Log.log(
                    Level.INFO,
                    String.format(
                            "%s: deadline %s, callers wait %s (%s): %s",
                            endpoint,
                            Durations.format(view.deadline()),
                            Durations.format(Duration.ofMillis(Math.max(1, client.toMillis()))),
                            reading.evidence() == Evidence.DECLARED ? "declared" : "as their departures show",
                            verdict.advice()),
                    null);
        }
    }

    private @Nullable Patience of(String endpoint) {
        Patience known = byEndpoint.get(endpoint);
        if (known != null || byEndpoint.size() >= MOST) {
            return known;
        }
        return byEndpoint.computeIfAbsent(endpoint, unknown -> new Patience());
    }
}
