package dev.hangup.metrics;

import static dev.hangup.metrics.Meters.SECONDS;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.ConnectionEvent;
import dev.hangup.call.EndpointView;
import dev.hangup.call.Outcome;
import dev.hangup.call.Pool;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.call.Unwatched;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * From what happens to calls to meters; made by itself, in Micrometer's global registry. That is what an engine finds with
 * {@link java.util.ServiceLoader} where the application gave it no {@link HangupMetrics}; never beside one, because a registry
 * in which both end would count histograms twice.
 *
 * <p>A call of which nothing is to be told but that it ended costs one look-up and one increment. What is kept of a call is
 * kept from its departure, or from the report that it is stuck, to its end.
 *
 * <p>Race, for both: the news may come on one thread after the end came on another, which found nothing to forget. So whoever
 * keeps something looks at the call once more afterwards; the call shows its end before it tells of it, and so one of the two
 * sees the other. Removing from the map decides which.
 */
public sealed class CallMetrics implements CallListener, AutoCloseable permits HangupMetrics {
    final Meters meters = new Meters();

    private final Endpoints endpoints = new Endpoints(meters);
    private final Map<String, PoolMeters> pools = new ConcurrentHashMap<>();
    private final Map<CallScope, UnownedCall> unowned = new ConcurrentHashMap<>();
    private final Map<CallScope, EndpointMeters> stuck = new ConcurrentHashMap<>();
    private final PerConstant<Unwatched, LongAdder> unwatched = new PerConstant<>(
            Unwatched.class,
            label -> meters.counter(
                    "hangup.calls.unwatched", Tags.of("cause", label), "Calls whose caller could not be watched"));
    private final Map<String, LongAdder> contradicted = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> rejected = new ConcurrentHashMap<>();
    private final LongAdder refused =
            meters.counter("hangup.policy.reload.failures", Tags.empty(), "Policy files that were refused");
    /** Seconds since the epoch. */
    private volatile double loadedAt;

    /** Publishes in the global registry. Throws a {@link LinkageError} where Micrometer is not on the class path. */
    public CallMetrics() {
        this(List.of(Metrics.globalRegistry));
    }

    CallMetrics(List<MeterRegistry> registries) {
        registries.forEach(meters::bindTo);
    }

    @Override
    public final String describe() {
        return "registry " + meters.describe();
    }

    /** Takes its meters out of every registry that they were bound to. What is heard afterwards is not published. */
    @Override
    public final void close() {
        meters.close();
    }

    @Override
    public final void poolKnown(Pool pool) {
        pool(pool).add(pool);
    }

    /** A pool may be heard of here first. */
    @Override
    public final void transaction(Pool pool, TransactionOutcome outcome) {
        pool(pool).ended(outcome);
    }

    @Override
    public final void connection(Pool pool, ConnectionEvent event) {
        pool(pool).happened(event);
    }

    private PoolMeters pool(Pool pool) {
        PoolMeters known = pools.get(pool.name());
        if (known == null) {
            known = pools.computeIfAbsent(pool.name(), name -> new PoolMeters(name, meters));
            known.add(pool);
        }
        return known;
    }

    @Override
    public final void endpointKnown(EndpointView endpoint) {
        endpoints.known(endpoint);
    }

    @Override
    public final void unwatched(CallScope call, Unwatched cause) {
        unwatched.of(cause).increment();
    }

    /** There are as many names as there are watches. */
    @Override
    public final void watchContradicted(String watch) {
        contradicted
                .computeIfAbsent(
                        watch,
                        name -> meters.counter(
                                "hangup.watch.disagreements",
                                Tags.of("watch", name),
                                "Departures seen by a watch that the second witness contradicted"))
                .increment();
    }

    @Override
    public final void callerGone(CallScope call, CancelReason cause) {
        if (!call.isQueued()) { // how long it had waited in the queue is not known
            endpoints.of(call.endpoint()).callerLeft(call.callerGoneAt() - call.startedAt());
        }
    }

    @Override
    public final void unowned(CallScope call) {
        long ended = call.endedAt();
        if (!call.isUnowned() || (ended != 0 && ended - call.unownedSince() <= 0)) {
            return; // its work is for somebody, or was done when the caller left
        }
        EndpointMeters endpoint = endpoints.of(call.endpoint());
        UnownedCall begun = new UnownedCall(call, endpoint);
        // In this order: who finds it in the map finds it at its endpoint, too.
        endpoint.unownedBegins(begun);
        unowned.put(call, begun);
        if (call.isEnded() || !call.isUnowned()) {
            forgetUnowned(call);
        }
    }

    @Override
    public final void detached(CallScope call) {
        forgetUnowned(call);
    }

    @Override
    public final void cancelled(CallScope call, CancelReason reason) {
        endpoints.of(call.endpoint()).cancelled(reason);
    }

    @Override
    public final void stuck(CallScope call, List<StackTraceElement> where) {
        EndpointMeters endpoint = endpoints.of(call.endpoint());
        endpoint.stuck(1);
        stuck.put(call, endpoint);
        if (call.isEnded()) {
            forgetStuck(call);
        }
    }

    @Override
    public final void ended(CallScope call, Outcome outcome) {
        EndpointMeters endpoint = endpoints.of(call.endpoint());
        endpoint.ended(outcome);
        if (call.treatment().named()) {
            endpoint.lasted(outcome, call.endedAt() - call.startedAt());
        }
        if (call.unownedSince() != 0) {
            forgetUnowned(call);
        }
        if (call.isCancelled()) {
            forgetStuck(call);
        }
    }

    @Override
    public final void policyLoaded(double epochSeconds) {
        boolean first = loadedAt == 0;
        loadedAt = epochSeconds;
        if (first) {
            meters.gauge(
                    "hangup.policy.loaded.timestamp",
                    SECONDS,
                    Tags.empty(),
                    "When the policy in force was loaded, in seconds since the epoch",
                    this,
                    all -> all.loadedAt);
        }
    }

    @Override
    public final void callerTimeout(String endpoint, @Nullable Duration timeout) {
        endpoints.of(endpoint).callerTimeout(timeout);
    }

    /** There are as many names as the policy names. */
    @Override
    public final void deadlineHeaderRejected(String header) {
        rejected.computeIfAbsent(
                        header,
                        name -> meters.counter(
                                "hangup.deadline.headers.rejected",
                                Tags.of("header", name),
                                "Deadlines and times of trusted callers that were malformed or out of range"))
                .increment();
    }

    @Override
    public final void policyRefused() {
        refused.increment();
    }

    private void forgetUnowned(CallScope call) {
        UnownedCall over = unowned.remove(call);
        if (over != null) {
            over.close();
        }
    }

    private void forgetStuck(CallScope call) {
        EndpointMeters endpoint = stuck.remove(call);
        if (endpoint != null) {
            endpoint.stuck(-1);
        }
    }
}
