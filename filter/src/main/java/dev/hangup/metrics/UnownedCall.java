package dev.hangup.metrics;

import dev.hangup.call.Accrual;
import dev.hangup.call.CallScope;

/** A call that works for nobody, from the moment it is heard of to its end or its detach. Forgotten then, and the call with it. */
final class UnownedCall {
    private final CallScope call;
    private final EndpointMeters endpoint;
    private final long since;
    /** Whether its caller has left; else its deadline has passed, or the application cancelled it. */
    private final boolean departed;

    private final Accrual accrual;

    UnownedCall(CallScope call, EndpointMeters endpoint) {
        this.call = call;
        this.endpoint = endpoint;
        this.since = call.unownedSince();
        this.departed = call.callerGoneAt() != 0;
        this.accrual = new Accrual(since);
    }

    /** Nanoseconds for which its caller waited, in vain; 0 if it has not left. */
    long before() {
        return departed ? Math.max(0, since - call.startedAt()) : 0;
    }

    /** Nanoseconds unowned so far. */
    long soFar(long now) {
        return Math.max(0, bounded(now) - since);
    }

    /** Nanoseconds that nobody has added to a sum yet; the caller adds them. */
    long take(long now) {
        return accrual.take(bounded(now));
    }

    /** Once, by whoever made the rest forget it. Only a departure is a signal that somebody is released after; a detached call was never. */
    void close() {
        long ended = call.endedAt();
        long at = ended == 0 ? System.nanoTime() : ended;
        endpoint.unownedEnds(this, accrual.close(at));
        if (departed && !call.isDetached()) {
            endpoint.released(Math.max(0, at - since));
        }
    }

    /**
     * A call's end is heard of an instant after it. Race: its end may be written between this look and the taking, with an
     * earlier instant; the sum is then too great by as long as that writing took.
     */
    private long bounded(long now) {
        long ended = call.endedAt();
        return ended != 0 && ended - now < 0 ? ended : now;
    }
}
