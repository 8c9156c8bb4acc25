package dev.hangup.jersey;

import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallScope;

/** What a cancelled call is told as. */
final class Cancelled {
    private Cancelled() {}

    /** The call must be cancelled. */
    static CallCancelledException exception(CallScope call) {
        try {
            call.throwIfCancelled();
        } catch (CallCancelledException e) {
            return e;
        }
        throw new IllegalStateException(call + " is not cancelled");
    }
}
