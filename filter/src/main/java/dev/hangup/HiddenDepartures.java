package dev.hangup;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.CallerState;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Log;
import dev.hangup.call.Outcome;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Points out endpoints whose callers never leave although deadlines pass: a proxy in between probably keeps its own connection
 * open after its caller has left. Says so once per endpoint, when {@value #ENOUGH} deadlines have passed and none of the
 * endpoint's callers was ever seen leaving; the first that is clears the endpoint for good. Calls do not count whose departure
 * could not have been seen: those that are not watched, and those where a half-close is tolerated; nor those whose deadline passes
 * before anybody loses patience, or is the caller's own.
 *
 * <p>Race: the departure of a caller that comes with the last of the deadlines may be too late for the log, never for
 * {@link #endpoints()}.
 */
final class HiddenDepartures implements CallListener {
    static final int ENOUGH = 20;

    /** Nobody leaves sooner: shorter deadlines tell nothing. */
    static final Duration PATIENCE = Duration.ofMillis(500);

    /** Endpoints that are remembered: whatever names frameworks invent, memory stays bounded. */
    static final int MOST = 300;

    /** Of endpoints with a departure or a passed deadline; nothing leaves it. */
    private final Map<String, Evidence> byEndpoint = new ConcurrentHashMap<>();

    private final Duration patience;

    private static final class Evidence {
        final AtomicInteger expired = new AtomicInteger();
        /** Written by whoever sees a departure: the watcher, or a worker on arrival. */
        volatile boolean callersLeave;

        boolean isEnough() {
            return !callersLeave && expired.get() >= ENOUGH;
        }
    }

    HiddenDepartures() {
        this(PATIENCE);
    }

    /** For tests, whose calls are short. */
    HiddenDepartures(Duration patience) {
        this.patience = patience;
    }

    /** The endpoints that are under suspicion now, in alphabetical order. Any thread. */
    List<String> endpoints() {
        return byEndpoint.entrySet().stream()
                .filter(entry -> entry.getValue().isEnough())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    @Override
    public void callerGone(CallScope call, CancelReason cause) {
        Evidence evidence = of(call.endpoint());
        if (evidence != null) {
            evidence.callersLeave = true;
        }
    }

    @Override
    public void ended(CallScope call, Outcome outcome) {
        if (outcome == Outcome.COMPLETED || !isExpired(call, outcome) || !isEvidence(call)) {
            return;
        }
        Evidence evidence = of(call.endpoint());
        if (evidence != null && evidence.expired.incrementAndGet() == ENOUGH && evidence.isEnough()) {
            Log.log(
                    Level.WARNING,
                    String.format(
                            Locale.ROOT,
                            "%s: %d deadlines (the last of %.1f s) have passed and no caller was ever seen leaving. A proxy"
                                    + " in between probably hides departures, so that nothing is cancelled by them; else all"
                                    + " callers wait longer than the deadline",
                            call.endpoint(),
                            ENOUGH,
                            deadlineNanos(call) / 1e9),
                    null);
        }
    }

    private static boolean isExpired(CallScope call, Outcome outcome) {
        return switch (outcome) {
            case DEADLINE_PASSED -> !call.isDeadlineDeclared();
            case CANCELLED, TOO_LATE -> call.cancelReason().orElse(null) == CancelReason.ENDPOINT_DEADLINE;
            default -> false;
        };
    }

    /** Whether a departure was to be expected, would have been seen, and was not. */
    private boolean isEvidence(CallScope call) {
        return call.caller() == CallerState.PRESENT
                && call.treatment().halfCloseIsGone()
                && deadlineNanos(call) >= patience.toNanos();
    }

    private static long deadlineNanos(CallScope call) {
        return call.deadlineAt() - call.startedAt();
    }

    private @Nullable Evidence of(String endpoint) {
        Evidence known = byEndpoint.get(endpoint);
        if (known != null || byEndpoint.size() >= MOST) {
            return known;
        }
        return byEndpoint.computeIfAbsent(endpoint, unknown -> new Evidence());
    }
}
