package dev.hangup.call;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a call, with its clock: the reading half of {@link CallScope}. Instants are {@link System#nanoTime()}
 * values, 0 for "not yet"; each is written once.
 */
abstract class CallFacts extends CallPeer implements Call {
    static final AtomicReferenceFieldUpdater<CallFacts, @Nullable CancelReason> GONE_CAUSE =
            AtomicReferenceFieldUpdater.newUpdater(CallFacts.class, CancelReason.class, "goneCause");
    static final AtomicLongFieldUpdater<CallFacts> UNOWNED_SINCE =
            AtomicLongFieldUpdater.newUpdater(CallFacts.class, "unownedSince");

    static final AtomicIntegerFieldUpdater<CallFacts> ERRANDS =
            AtomicIntegerFieldUpdater.newUpdater(CallFacts.class, "errands");

    /** 146 years, so that differences never overflow. */
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE / 2);

    final CallRuntime runtime;
    final long startedAt;
    private final Arrival arrival;
    private final String method;
    private final boolean guarded;

    /** These are written by a thread that refines the call. */
    volatile String endpoint;

    volatile Treatment treatment;
    volatile long deadlineAt;
    private volatile Duration own;
    /** Whether that is the deadline that the caller declared. */
    volatile boolean deadlineDeclared;

    volatile long callerGoneAt;
    volatile long unownedSince;
    /** Written by the winner of the cancel, an instant after the state. */
    volatile long cancelledAt;

    volatile long endedAt;
    /** How the caller left: the first to write it wins; {@code callerGoneAt} follows at once. */
    volatile @Nullable CancelReason goneCause;
    /** Written with it, before {@code callerGoneAt}. */
    volatile boolean goneBelieved;
    /** Written by workers. */
    volatile boolean committedAfterGone;

    /** Written by the thread that began the call: its work has not begun. */
    volatile boolean queued;

    volatile boolean tooLate;
    /** Written by whoever had a signal for which it was not cancelled. */
    volatile boolean spared;
    /** Written by the watcher. */
    volatile boolean unwatched;
    /** How many cancellers hold the call, who are no workers. */
    volatile int errands;

    CallFacts(
            CallRuntime runtime,
            String method,
            String endpoint,
            Treatment treatment,
            Duration deadline,
            Arrival arrival,
            boolean guarded,
            @Nullable Object peer) {
        super(peer);
        this.runtime = runtime;
        this.method = method;
        this.endpoint = endpoint;
        this.treatment = treatment;
        this.guarded = guarded;
        this.startedAt = now();
        this.arrival = arrival;
        this.own = deadline;
        this.deadlineDeclared = arrival.shortens(deadline);
        this.deadlineAt = startedAt + arrival.nanosLeft(deadline);
    }

    final void deadline(Duration span) {
        own = span;
        deadlineDeclared = arrival.shortens(span);
        deadlineAt = startedAt + arrival.nanosLeft(span);
    }

    /**
     * The answer has begun: the endpoint's own deadline counts from now again; the caller's stays. On the watcher.
     *
     * <p>Race: a worker that refines the call meanwhile. The one that comes last counts; but a framework names the route before it
     * answers, and nothing of an answer has moved before it begins.
     */
    final void deadlineFromNow() {
        long again = now() + own.toNanos();
        long callers = startedAt + arrival.nanosLeft(FOREVER);
        deadlineDeclared = arrival.declared() != null && callers - again < 0;
        deadlineAt = deadlineDeclared ? callers : again;
    }

    /** The span of the deadline, from the moment that the request came, or was sent; of one that an answer in motion moves, the last. */
    public final Duration allowed() {
        return Duration.ofNanos(arrival.nanos(own));
    }

    /** The engine that runs this call: resources schedule their retries there and tell its listener. */
    public final CallRuntime runtime() {
        return runtime;
    }

    /** The HTTP method. */
    public final String method() {
        return method;
    }

    @Override
    public final String endpoint() {
        return endpoint;
    }

    /** How the call is treated; changes when it is refined. */
    public final Treatment treatment() {
        return treatment;
    }

    /** When the call began. */
    public final long startedAt() {
        return startedAt;
    }

    /** When the deadline passes; changes when the call is refined. Never "not yet", may be any value. */
    public final long deadlineAt() {
        return deadlineAt;
    }

    /** How long the caller has declared that it waits; null if it has not. */
    public final @Nullable Duration declared() {
        return arrival.declared();
    }

    /** Whether no time was left when the call began: it has waited for a worker too long. */
    public final boolean isBelated() {
        return deadlineAt - startedAt <= 0;
    }

    /** Whether the deadline is the one that the caller declared, because it is shorter than the endpoint's own. */
    public final boolean isDeadlineDeclared() {
        return deadlineDeclared;
    }

    /** When the caller was seen leaving; 0 until then. */
    public final long callerGoneAt() {
        return callerGoneAt;
    }

    /** Whether nobody waits for this call, or waited when it ended; never for one that was detached. */
    public final boolean isUnowned() {
        return unownedSince != 0 && !wasDetached();
    }

    /** Since when nobody waits for this call; 0 until then. A {@code detach()} afterwards does not change it, see {@link #isUnowned()}. */
    public final long unownedSince() {
        return unownedSince;
    }

    /** When it was cancelled; 0 until then, and for an instant after {@link #isCancelled()} turned true. May lie a moment after {@link #endedAt()}. */
    public final long cancelledAt() {
        return cancelledAt;
    }

    /** When the call ended; not 0 once {@link #isEnded()}. */
    public final long endedAt() {
        return endedAt;
    }

    /** The request has waited for a worker: its work does not begin before {@link #admit()}. On the thread that began the call. */
    public final void queued() {
        queued = true;
    }

    /**
     * The work begins, unless the call was cancelled while it was {@link #queued()}: then false, and the work must not begin. On
     * the thread that began the call. A cancel that comes now, after the look, finds work that has begun.
     */
    public final boolean admit() {
        if (isCancelled()) {
            return false;
        }
        queued = false;
        return true;
    }

    /** Whether the work has not begun, because its request has waited for a worker and its caller may have left meanwhile. */
    public final boolean isQueued() {
        return queued;
    }

    /** Whether the engine has let this call go on although its caller had left or its deadline had passed, see {@link CallRuntime#mayCancel}. */
    public final boolean isSpared() {
        return spared;
    }

    /** Whether the work and the response are over; then nothing about the call changes any more. */
    public final boolean isEnded() {
        return phase() == ENDED;
    }

    /** Whether the application detached the work. */
    public final boolean isDetached() {
        return wasDetached();
    }

    /** Number of threads attached now; 0 for an asynchronous call that waits, and for one that has ended. May be one too many while a response ends. */
    public final int workers() {
        return Math.max(0, holds() - errands - (isResponseOver() ? 0 : 1));
    }

    @Override
    public final Deadline deadline() {
        return Deadline.atNanoTime(deadlineAt);
    }

    @Override
    public final Duration elapsed() {
        long end = endedAt;
        return Duration.ofNanos((end == 0 ? now() : end) - startedAt);
    }

    @Override
    public final CallerState caller() {
        return callerGoneAt != 0 ? CallerState.GONE : unwatched ? CallerState.UNKNOWN : CallerState.PRESENT;
    }

    @Override
    public final boolean isCancelled() {
        return reason() != null;
    }

    @Override
    public final Optional<CancelReason> cancelReason() {
        return Optional.ofNullable(reason());
    }

    @Override
    public final void throwIfCancelled() {
        CancelReason reason = reason();
        if (reason != null) {
            throw cancelled(reason);
        }
    }

    final CallCancelledException cancelled(CancelReason reason) {
        String name = endpoint.equals(CallScope.UNMATCHED) ? method + " " + endpoint : endpoint;
        return new CallCancelledException(reason, name, elapsed());
    }

    /** Whether the front door guards the response, and so answers a cancel by itself. */
    public final boolean isGuarded() {
        return guarded;
    }

    /** Whether a cancel interrupts this call's workers. */
    final boolean interruptible() {
        return guarded && treatment.interrupts();
    }

    /** To be asked once the call has ended. */
    final Outcome outcome() {
        if (isCancelled()) {
            return queued ? Outcome.EXPIRED_IN_QUEUE : tooLate ? Outcome.TOO_LATE : Outcome.CANCELLED;
        }
        if (wasDetached()) {
            return Outcome.DETACHED;
        }
        if (callerGoneAt != 0) {
            return committedAfterGone
                    ? Outcome.COMMITTED_AFTER_GONE
                    : treatment.cancels() && !spared ? Outcome.COMPLETED_AFTER_GONE : Outcome.WOULD_CANCEL;
        }
        return endedAt - deadlineAt > 0 ? Outcome.DEADLINE_PASSED : Outcome.COMPLETED;
    }

    /** nanoTime, never 0, which means "not yet". */
    static long now() {
        long now = System.nanoTime();
        return now == 0 ? 1 : now;
    }

    @Override
    public final String toString() {
        @Nullable CancelReason reason = reason();
        return endpoint + (reason == null ? "" : " " + reason) + (isEnded() ? " ended" : "");
    }
}
