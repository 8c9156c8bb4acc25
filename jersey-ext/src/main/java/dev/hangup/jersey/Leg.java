package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import dev.hangup.call.Deadline;
import dev.hangup.call.Errand;
import dev.hangup.policy.Allotment;
import dev.hangup.policy.Policy;
import dev.hangup.policy.SourceTimeoutException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One request downstream as a part of the call that sends it, from its begin to the end of its answer's body, and the time that it has. */
final class Leg {
    /** Of a request that has been given its time. */
    static final String PROPERTY = "dev.hangup.jersey.leg";

    private static final Duration AFTER_THE_CANCEL = Duration.ofMillis(500);

    private final @Nullable CallScope call;
    private final @Nullable Allotment allotted;
    private final Deadline end;
    private final Own own;
    private final Errand errand;

    /**
     * The timeouts that a request has of its own, in milliseconds; 0 is none. A connection of ours has these: the leg's end covers the
     * rest, and what is left of a call's deadline is another for each request, while a client has one connect timeout for all.
     */
    record Own(int connectMillis, int readMillis) {}

    private Leg(@Nullable CallScope call, @Nullable Allotment allotted, Own own) {
        this.call = call;
        this.allotted = allotted;
        this.own = own;
        this.errand = new Errand(call);
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
     * @throws dev.hangup.call.CallCancelledException if its call stands cancelled
     * @throws dev.hangup.policy.SourceTimeoutException if no time is left
     */
    void check() throws IOException {
        errand.throwIfCancelled();
        Exception why = errand.reason();
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
        errand.begin();
        Duration patience = patience();
        if (patience != null && allotted != null) {
            errand.limit(patience, allotted::timedOut);
        }
    }

    /** It is under way, and this is how to break it off: see {@link Errand#running}. */
    void running(Runnable breaker) {
        errand.running(breaker);
    }

    /** Any thread; does not block. */
    void stop(Exception why) {
        errand.stop(why);
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
        errand.over();
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
}
