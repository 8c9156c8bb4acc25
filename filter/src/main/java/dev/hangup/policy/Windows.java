package dev.hangup.policy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The named windows of a policy, and which of them is in force now: the first that holds. A window is a number here, so that a
 * rule finds its deadline with an array access at each call; {@link #NORMAL} is the time outside all others.
 *
 * <p>Asked for each request, so the answer is kept, for the second that it was found in: no window has a boundary within one. Race: two
 * threads may find the same answer, or one may put back that of the second before; each uses its own.
 */
final class Windows {

    static final int NORMAL = 0;
    static final String NORMAL_NAME = "normal";
    /** More than anybody can keep apart. */
    static final int MOST = 1_000;

    private static final int BITS = 10;
    private static final long DAY = 86_400;
    /** 1970-01-01 was a Thursday. */
    private static final int FIRST_DAY = 3;

    private final List<String> names;
    private final Window[] windows;
    private final ZoneRules zone;
    private final InstantSource clock;

    /** The second since the epoch, and in its last bits the window in force then. */
    private volatile long kept = Long.MIN_VALUE;

    /** @param windows by name, the first that holds is in force; at most {@link #MOST} */
    Windows(Map<String, Window> windows, ZoneId zone, InstantSource clock) {
        List<String> all = new ArrayList<>(windows.keySet());
        all.add(NORMAL, NORMAL_NAME);
        this.names = List.copyOf(all);
        this.windows = windows.values().toArray(new Window[0]);
        this.zone = zone.getRules();
        this.clock = clock;
    }

    /** Their names, by number. */
    List<String> names() {
        return names;
    }

    /** The one in force at this moment, by the wall clock. Never to be kept: the next call may come after a boundary. */
    int current() {
        if (windows.length == 0) {
            return NORMAL;
        }
        long second = Math.floorDiv(clock.millis(), 1_000);
        long seen = kept;
        if (seen >> BITS != second) {
            seen = second << BITS | at(second);
            kept = seen;
        }
        return (int) (seen & ((1 << BITS) - 1));
    }

    /** The one that was in force so long ago, as the wall clock tells it now. */
    int before(Duration ago) {
        return windows.length == 0 ? NORMAL : at(Math.floorDiv(clock.millis() - ago.toMillis(), 1_000));
    }

    private int at(long second) {
        long local = second + zone.getOffset(Instant.ofEpochSecond(second)).getTotalSeconds();
        int minute = (int) Math.floorMod(local, DAY) / 60;
        int day = Math.floorMod(Math.floorDiv(local, DAY) + FIRST_DAY, Window.DAYS);
        for (int i = 0; i < windows.length; i++) {
            if (windows[i].holds(minute % Window.MINUTES, minute / Window.MINUTES, day)) {
                return i + 1;
            }
        }
        return NORMAL;
    }
}
