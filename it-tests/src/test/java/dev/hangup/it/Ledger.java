package dev.hangup.it;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.Unwatched;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the engine told of its calls, counted: who left, what was cancelled, how calls ended. */
class Ledger implements CallListener {

    private final Map<Enum<?>, Integer> causes = new ConcurrentHashMap<>();
    private final Map<CancelReason, Integer> cancels = new ConcurrentHashMap<>();
    private final Map<CallScope, Integer> ends = new ConcurrentHashMap<>();
    private final Map<Outcome, Integer> outcomes = new ConcurrentHashMap<>();

    /** Departures of this cause, or calls unwatched for this cause. */
    int of(Enum<?> cause) {
        return causes.getOrDefault(cause, 0);
    }

    /** Departures of any cause. */
    int departures() {
        return of(CancelReason.CALLER_CLOSED) + of(CancelReason.CALLER_RESET) + of(CancelReason.STREAM_RESET);
    }

    int cancelled(CancelReason reason) {
        return cancels.getOrDefault(reason, 0);
    }

    int ended(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0);
    }

    /** Calls that have ended; one that ended twice is told by {@link #endedTwice}. */
    int ended() {
        return ends.size();
    }

    long endedTwice() {
        return ends.values().stream().filter(times -> times > 1).count();
    }

    @Override
    public void unwatched(CallScope call, Unwatched cause) {
        causes.merge(cause, 1, Integer::sum);
    }

    @Override
    public void callerGone(CallScope call, CancelReason cause) {
        causes.merge(cause, 1, Integer::sum);
    }

    @Override
    public void cancelled(CallScope call, CancelReason reason) {
        cancels.merge(reason, 1, Integer::sum);
    }

    @Override
    public void ended(CallScope call, Outcome outcome) {
        outcomes.merge(outcome, 1, Integer::sum);
        ends.merge(call, 1, Integer::sum);
    }

    @Override
    public String toString() {
        return "departures and causes " + causes + ", cancelled " + cancels + ", ended " + outcomes;
    }
}
