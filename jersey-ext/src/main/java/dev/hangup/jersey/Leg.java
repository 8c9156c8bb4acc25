package dev.hangup.jersey;

import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallResource;
import dev.hangup.call.CallScope;
import dev.hangup.call.Deadline;
import dev.hangup.policy.Allotment;
import dev.hangup.policy.Policy;
import dev.hangup.policy.SourceTimeoutException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request downstream as a part of the call that sends it, from its begin to the end of its answer's body, and whatever stops it
 * before: the call's cancel, the timeout, or whoever waits for it. The first of them is the reason.
 *
 * <p>Race: a stop and an exchange that has just begun. Each publishes itself, then looks at the other.
 */
final class Leg implements CallResource {
    /** Of a request that has been given its time. */
    static final String PROPERTY = "dev.hangup.jersey.leg";

    private static final Duration AFTER_THE_CANCEL = Duration.ofMillis(500);

    private final @Nullable CallScope call;
    private final @Nullable Allotment allotted;
    private final Deadline end;
    /** Ends the timer when it is completed. */
    private final CompletableFuture<Void> timer = new CompletableFuture<>();

    private final AtomicReference<@Nullable Exception> reason = new AtomicReference<>();
    private final Own own;

    /** How to break it off, any number of times. Written by the thread that sends. */
    private volatile @Nullable Runnable breaker;

    /**
     * The timeouts that a request has of its own, in milliseconds; 0 is none. A connection of ours has these: the leg's end covers the
     * rest, and what is left of a call's deadline is another for each request, while a client has one connect timeout for all.
     */
    record Own(int connectMillis, int readMillis) {}

    private Leg(@Nullable CallScope call, @Nullable Allotment allotted, Own own) {
        this.call = call;
        this.allotted = allotted;
        this.own = own;
        Duration time = time();
        this.end = time == null ? Deadline.NONE : Deadline.after(time);
    }

    /** One that may take as long as its call. */
    static Leg unlimited(@Nullable CallScope call, Own own) {
        return new Leg(call, null, own);
    }

    static Leg of(@Nullable CallScope call, Policy policy, URI uri, Own own) {
        Deadline deadline = call == null ? Deadline.NONE : call.deadline();
        return new Leg(call, Allotment.of(policy, uri, deadline), own);
    }

    Own own() {
        return own;
    }

    /** How long it may take; null if nothing says so. */
    @Nullable
    Duration time() {
        return allotted == null || allotted.budget() == null
                ? null
                : allotted.budget().timeout();
    }

    /**
     * How long it is waited for; null for ever. Where the time is what is left of the call's deadline, and the call is cancelled then,
     * that cancel is to end it: whoever waits learns the call's reason and not that a source was slow.
     */
    @Nullable
    Duration patience() {
        Duration time = time();
        boolean callEnds = time != null
                && allotted != null
                && allotted.budget() != null
                && allotted.budget().isCalls()
                && call != null
                && call.treatment().cancels();
        return time != null && callEnds ? time.plus(AFTER_THE_CANCEL) : time;
    }

    /**
     * Throws if it must not be sent, or not be waited for any more. On the thread that works on it.
     *
     * @throws CallCancelledException if its call stands cancelled
     * @throws dev.hangup.policy.SourceTimeoutException if no time is left
     */
    void check() throws IOException {
        if (call != null) {
            call.throwIfCancelled(); // with this thread's stack
        }
        Exception why = reason.get();
        if (why == null && allotted != null && allotted.isNothing()) {
            why = allotted.timedOut();
        }
        if (why instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (why != null) {
            throw why instanceof IOException io ? io : new IOException(why);
        }
    }

    /** From now on its call's cancel stops it, and so does its time. Pair it with {@link #over()}. */
    void begin() throws IOException {
        check();
        if (call != null) {
            call.add(this); // refused at once if it stands cancelled by now
        }
        Duration patience = patience();
        if (patience != null && allotted != null) {
            Allotment known = allotted;
            CompletableFuture<?> unused = timer.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                    .whenCompleteAsync((over, late) -> {
                        if (late != null) {
                            stop(known.timedOut());
                        }
                    });
        }
    }

    /** It is under way, and this is how to break it off. */
    void running(Runnable breaker) {
        this.breaker = breaker;
        if (reason.get() != null) {
            breaker.run(); // the stop came before there was anything to stop
        }
    }

    /** Any thread; does not block. */
    void stop(Exception why) {
        reason.compareAndSet(null, why);
        breakOff();
    }

    private void breakOff() {
        Runnable known = breaker;
        if (known != null) {
            known.run();
        }
        over();
    }

    /** Whoever waited for it was interrupted, for the call's cancel or for something else. On that thread. */
    void interrupted() {
        stop(new InterruptedIOException("interrupted while waiting for an answer"));
        if (call == null || !call.isCancelled()) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing is left to be stopped. Any thread, any number of times. */
    void over() {
        timer.complete(null);
        if (call != null) {
            call.remove(this);
        }
    }

    /** What a timeout is to be called: the source's if the leg's time is up, else the request's own. */
    IOException late(SocketTimeoutException late) {
        if (allotted == null || !end.isExpired()) {
            return late;
        }
        SourceTimeoutException timedOut = allotted.timedOut();
        timedOut.addSuppressed(late);
        return timedOut;
    }

    // ---- as a part of the call

    @Override
    public void refuse() {
        if (call != null) {
            try {
                call.throwIfCancelled();
            } catch (CallCancelledException cancelled) {
                reason.compareAndSet(null, cancelled);
            }
        }
    }

    @Override
    public void cancel() {
        breakOff();
    }

    @Override
    public void abort() {
        breakOff();
    }
}
