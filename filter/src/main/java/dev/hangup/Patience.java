package dev.hangup;

import dev.hangup.policy.Verdict;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * After how long the callers of one endpoint have left, the last {@value #KEPT} of them; and whether that piles up at one value, as
 * it does where they have a timeout, and not where people lose patience. Safe for any thread.
 */
final class Patience {
    static final int KEPT = 128;

    /** Fewer departures than this are no pile. */
    static final int ENOUGH = 10;

    /** So many departures without an answer in between, and no caller can get one. */
    static final int IN_VAIN = 20;

    private static final double PILE = 0.4;
    private static final double WIDTH = 1.05;
    private static final long JITTER = Duration.ofMillis(20).toNanos();

    /** All that follows is guarded by the monitor, but for what is volatile. */
    private final long[] left = new long[KEPT];

    private int count;
    private volatile int inVain;
    private volatile @Nullable Duration timeout;
    private volatile @Nullable Duration declared;
    /** What has been said of the two. Whoever adds a verdict says it. */
    private final Set<Verdict> said = ConcurrentHashMap.newKeySet();

    /** A caller has left after so long. True if that has changed what is inferred. */
    synchronized boolean left(Duration elapsed) {
        left[count % KEPT] = elapsed.toNanos();
        count = count + 1 < 0 ? KEPT : count + 1; // a multiple of what is kept: the ring goes on where it was
        inVain = Math.min(inVain + 1, IN_VAIN);
        if (count < ENOUGH || (count % 4 != 0 && count > ENOUGH)) {
            return false;
        }
        Duration before = timeout;
        timeout = pile(Arrays.copyOf(left, Math.min(count, KEPT)));
        return before == null ? timeout != null : !before.equals(timeout);
    }

    /** A caller who was there has got its answer. */
    void answered() {
        if (inVain != 0) {
            reset();
        }
    }

    private synchronized void reset() {
        inVain = 0;
    }

    /** A caller has declared that it waits so long. */
    void declared(Duration span) {
        declared = span;
    }

    /** What the last caller has declared; null if none has. */
    @Nullable
    Duration declared() {
        return declared;
    }

    /** The callers' timeout, inferred; null if their departures do not pile up. */
    @Nullable
    Duration timeout() {
        return timeout;
    }

    /** True once for each verdict: of two threads that come to the same one it is news. */
    boolean isNews(Verdict verdict) {
        return said.add(verdict);
    }

    /** Whether callers get answers. */
    boolean isReachable() {
        return inVain < IN_VAIN;
    }

    /** The middle of the fullest stretch, which is a twentieth of its beginning wide and some milliseconds. */
    private static @Nullable Duration pile(long[] departures) {
        Arrays.sort(departures);
        int most = 0;
        int at = 0;
        int last = 0;
        for (int first = 0; first < departures.length; first++) {
            while (last < departures.length && departures[last] <= departures[first] * WIDTH + JITTER) {
                last++;
            }
            if (last - first > most) {
                most = last - first;
                at = first;
            }
        }
        boolean isPile = most >= ENOUGH / 2 && most >= departures.length * PILE;
        return isPile ? Duration.ofNanos(departures[at + most / 2]) : null;
    }
}
