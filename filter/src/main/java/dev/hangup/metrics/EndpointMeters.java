package dev.hangup.metrics;

import static dev.hangup.metrics.Meters.SECONDS;
import static dev.hangup.metrics.Meters.seconds;

import dev.hangup.call.CancelReason;
import dev.hangup.call.EndpointView;
import dev.hangup.call.Outcome;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one endpoint. Those that a dashboard watches read 0 from the first call on, so that no rise is missed; each
 * label value of an outcome or a reason, and each histogram, comes when it is first needed. Safe for any thread.
 */
final class EndpointMeters {
    private final Meters meters;
    private final Tags tags;

    private final PerConstant<Outcome, LongAdder> outcomes;
    private final PerConstant<CancelReason, LongAdder> reasons;
    private final PerConstant<Outcome, Timer> durations;
    private volatile @Nullable Timer patience;
    private volatile @Nullable Timer release;

    /** Unowned now. Written by whoever hears of a call's departure or end. */
    private final Set<UnownedCall> unowned = ConcurrentHashMap.newKeySet();

    private final LongAdder unownedNanos = new LongAdder();
    private final LongAdder discardedNanos = new LongAdder();
    private final AtomicInteger stuck = new AtomicInteger();

    /** Null until the first is inferred. */
    private volatile @Nullable Duration callerTimeout;

    /** How the policy treats it now; null if the policy does not name it. */
    private volatile @Nullable EndpointView view;

    EndpointMeters(String endpoint, Meters meters) {
        this.meters = meters;
        this.tags = Tags.of("endpoint", endpoint);
        outcomes = new PerConstant<>(
                Outcome.class,
                label -> meters.counter("hangup.calls", tags.and("outcome", label), "Calls, by how they ended"));
        reasons = new PerConstant<>(
                CancelReason.class,
                label -> meters.counter("hangup.cancelled", tags.and("reason", label), "Cancelled calls, by reason"));
        durations = new PerConstant<>(
                Outcome.class,
                label -> meters.histogram(
                        "hangup.call",
                        tags.and("outcome", label),
                        "Duration of calls on endpoints with an entry or annotation"));
        register();
    }

    private void register() {
        meters.gauge(
                "hangup.unowned.calls",
                null,
                tags,
                "Calls now working for a caller who left",
                this,
                all -> all.unowned.size());
        meters.gauge(
                "hangup.unowned",
                SECONDS,
                tags,
                "Seconds that the unowned calls of this moment have so far worked unowned",
                this,
                all -> seconds(all.unownedSoFar()));
        meters.counter(
                "hangup.unowned.work",
                SECONDS,
                tags,
                "All seconds worked for callers who left",
                this,
                all -> seconds(all.unownedWork()));
        meters.counter(
                "hangup.discarded",
                SECONDS,
                tags,
                "Seconds worked before the caller left, thrown away with the rest",
                discardedNanos,
                nanos -> seconds(nanos.sum()));
        meters.gauge(
                "hangup.stuck.calls",
                null,
                tags,
                "Cancelled calls that have not ended in time",
                stuck,
                AtomicInteger::get);
    }

    void ended(Outcome outcome) {
        outcomes.of(outcome).increment();
    }

    void lasted(Outcome outcome, long nanos) {
        durations.of(outcome).record(nanos, TimeUnit.NANOSECONDS);
    }

    void cancelled(CancelReason reason) {
        reasons.of(reason).increment();
    }

    /** A caller left, having waited this long. */
    void callerLeft(long nanos) {
        Timer timer = patience;
        if (timer == null) {
            timer = meters.histogram("hangup.caller.patience", tags, "Elapsed time at which callers left");
            patience = timer;
        }
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** The work ended, this long after its caller was seen leaving. */
    void released(long nanos) {
        Timer timer = release;
        if (timer == null) {
            timer = meters.histogram("hangup.release", tags, "From the signal to the end of the work");
            release = timer;
        }
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    void unownedBegins(UnownedCall call) {
        unowned.add(call);
        discardedNanos.add(call.before());
    }

    void unownedEnds(UnownedCall call, long lastNanos) {
        unownedNanos.add(lastNanos);
        unowned.remove(call);
    }

    void stuck(int more) {
        stuck.addAndGet(more);
    }

    /** Made known by a policy, or changed by a new one. One thread at a time. */
    void view(EndpointView now) {
        boolean first = view == null;
        view = now;
        if (first) {
            meters.gauge("hangup.deadline", SECONDS, tags, "The deadline in force now", this, EndpointMeters::deadline);
            meters.gauge(
                    "hangup.cancelling", null, tags, "1 where departures cancel", this, EndpointMeters::cancelling);
        }
    }

    /** Inferred, or not any more; then it reads 0. */
    synchronized void callerTimeout(@Nullable Duration timeout) {
        boolean first = callerTimeout == null;
        callerTimeout = timeout == null ? Duration.ZERO : timeout;
        if (first) {
            meters.gauge(
                    "hangup.caller.timeout",
                    SECONDS,
                    tags,
                    "The client timeout at which departures pile up; 0 if they do not any more",
                    this,
                    EndpointMeters::callerTimeout);
        }
    }

    private double callerTimeout() {
        Duration timeout = callerTimeout;
        return timeout == null ? 0 : timeout.getSeconds() + timeout.getNano() / 1e9;
    }

    private double deadline() {
        EndpointView now = view;
        Duration deadline = now == null ? Duration.ZERO : now.deadline();
        return Math.max(0, deadline.getSeconds() + deadline.getNano() / 1e9);
    }

    private int cancelling() {
        EndpointView now = view;
        return now != null && now.cancels() ? 1 : 0;
    }

    private long unownedSoFar() {
        long now = System.nanoTime();
        long sum = 0;
        for (UnownedCall call : unowned) {
            sum += call.soFar(now);
        }
        return sum;
    }

    private long unownedWork() {
        long now = System.nanoTime();
        for (UnownedCall call : unowned) {
            unownedNanos.add(call.take(now));
        }
        return unownedNanos.sum();
    }
}
