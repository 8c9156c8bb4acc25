package dev.hangup;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.Outcome;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * A safety valve, {@code max-cancel-share}: whoever makes most callers seem to leave, as a proxy may that goes wrong, must not be
 * able to stop most of the work.
 *
 * <pre>
 *   CANCELS --more than the share of the calls of 10 s would be cancelled--> SPARES
 *   SPARES --10 s later at the earliest, once it is not more any longer--> CANCELS
 * </pre>
 *
 * The calls of 10 s are those that were under way at any moment of it. One cancel in that time is always allowed: among few calls
 * every single one is a large share.
 */
final class CancelBudget implements CallListener {
    /** Of the window that is looked at, and for which it stays shut. */
    private static final int SECONDS = 10;

    private static final double ROUNDING = 1e-9;

    private final double share;
    private final Consumer<String> warn;
    private final LongAdder began = new LongAdder();
    private final LongAdder ended = new LongAdder();

    /** For each of the last seconds how many calls had ended when it began, and how many were to be cancelled in it. Guarded by this. */
    private final long[] endedBefore = new long[SECONDS];

    private final long[] due = new long[SECONDS];
    private long second;
    /** The second in which it was shut; negative while it is open. */
    private long shutIn = -1;

    /**
     * @param share above 0, below 1
     * @param warn writes a line to the log without blocking
     */
    CancelBudget(double share, Consumer<String> warn) {
        this.share = share;
        this.warn = warn;
    }

    /** A call has begun. */
    void began() {
        began.increment();
    }

    @Override
    public void ended(CallScope call, Outcome outcome) {
        ended.increment();
    }

    /** Whether a call may be cancelled for which there is a signal now. Any thread. */
    boolean allows(CallScope call) {
        String line = null;
        boolean allowed;
        synchronized (this) {
            if (!call.isSpared()) {
                due[slot()]++;
            }
            if (shutIn < 0 && isExceeded()) {
                shutIn = second;
                line = account() + ": departures and deadlines cancel nothing for now, and go on being counted";
            }
            allowed = shutIn < 0;
        }
        if (line != null) {
            warn.accept(line);
        }
        return allowed;
    }

    /** Another second has passed. One thread. */
    void tick() {
        String line = null;
        synchronized (this) {
            second++;
            endedBefore[slot()] = ended.sum();
            due[slot()] = 0;
            if (shutIn >= 0 && second - shutIn >= SECONDS && !isExceeded()) {
                shutIn = -1;
                line = account() + ": departures and deadlines cancel again";
            }
        }
        if (line != null) {
            warn.accept(line);
        }
    }

    private int slot() {
        return (int) (second % SECONDS);
    }

    private boolean isExceeded() {
        return due() > Math.max(1, share * calls() + ROUNDING);
    }

    private long due() {
        return Arrays.stream(due).sum();
    }

    /** All that have begun, but those that had ended before the window began. */
    private long calls() {
        long before = endedBefore[(int) ((second + 1) % SECONDS)];
        return began.sum() - before;
    }

    private String account() {
        return String.format(
                Locale.ROOT,
                "%d of the %d calls of the last %d s were to be cancelled, max-cancel-share is %s%%",
                due(),
                calls(),
                SECONDS,
                Double.toString(Math.rint(share * 1e5) / 1e3).replaceFirst("\\.0$", ""));
    }
}
