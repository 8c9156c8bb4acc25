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
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads each endpoint's deadline beside its callers' patience, as they declare it or as their departures show it. Each verdict of an
 * endpoint that asks for something is said in the log once, when it is first found; one that comes back is no news. Knows at most
 * {@value #MOST} endpoints.
 *
 * <p>Whoever leaves a stream of events has not waited in vain for an answer: that tells nothing of a timeout. What the response is
 * by then is asked when its caller leaves, of the container's own, so that nobody pays who stays. Before it has a type an endpoint
 * that has sent events is taken to send them again.
 *
 * <p>Race: two departures from an endpoint at the same time. Where they find the same verdict, one of them says it; where the
 * second has changed it, both are said, in either order.
 */
final class CallerPatience implements CallListener {
    static final int MOST = 300;

    private static final String EVENTS = "text/event-stream";

    private final Map<String, Patience> byEndpoint = new ConcurrentHashMap<>();
    private final Map<String, EndpointView> views = new ConcurrentHashMap<>();
    private final Set<String> streaming = ConcurrentHashMap.newKeySet();
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
        @Nullable String[] type = new @Nullable String[1];
        if (!call.tryLookAtReply(reply -> type[0] = type(reply)) || listens(call.endpoint(), type[0])) {
            return; // it is over, or somebody looks just now: one departure less to go by
        }
        Patience patience = of(call.endpoint());
        if (patience != null && patience.left(Duration.ofNanos(Math.max(0, call.callerGoneAt() - call.startedAt())))) {
            others.callerTimeout(call.endpoint(), patience.timeout());
            say(call.endpoint(), patience);
        }
    }

    /** Inside the peer lock: the container's own response takes no lock to tell its type, as a wrapper of somebody's might. */
    private static @Nullable String type(Object reply) {
        return reply instanceof HttpServletResponse response
                ? Unwrapped.response(response).getContentType()
                : reply instanceof String known ? known : null;
    }

    private boolean listens(String endpoint, @Nullable String type) {
        if (type == null) {
            return streaming.contains(endpoint);
        }
        boolean events = type.regionMatches(true, 0, EVENTS, 0, EVENTS.length());
        if (events) {
            answered(endpoint);
            if (streaming.size() < MOST) {
                streaming.add(endpoint);
            }
        }
        return events;
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
            answered(call.endpoint());
        }
    }

    private void answered(String endpoint) {
        Patience known = byEndpoint.get(endpoint);
        if (known != null) {
            known.answered();
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
        if (client != null && verdict != Verdict.STABLE && patience.isNews(verdict)) {
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
        if (known == null && byEndpoint.size() >= MOST && views.containsKey(endpoint)) {
            byEndpoint.keySet().retainAll(views.keySet()); // names that the policy has had before keep nobody out
        }
        if (known != null || byEndpoint.size() >= MOST) {
            return known;
        }
        return byEndpoint.computeIfAbsent(endpoint, unknown -> new Patience());
    }
}
