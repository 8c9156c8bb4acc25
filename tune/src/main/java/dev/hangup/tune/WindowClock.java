package dev.hangup.tune;

import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * A policy with a clock that is set to any moment of the past: which window a request of then was in, and what was in force. Windows
 * are numbers in the order in which they are first seen. Answers are kept by the minute, in which no window begins or ends. Not for
 * several threads.
 */
final class WindowClock {

    private static final int KEPT = 1 << 12;
    private static final long MINUTE = 60_000;

    private final Moment moment = new Moment();
    private final Policy policy;
    private final List<String> names = new ArrayList<>();
    /** A moment in each window. */
    private final List<Long> seen = new ArrayList<>();

    private final long[] minutes = new long[KEPT];
    private final int[] windows = new int[KEPT];

    private static final class Moment implements InstantSource {
        long millis;

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis);
        }

        @Override
        public long millis() {
            return millis;
        }
    }

    /** @throws dev.hangup.policy.PolicyException if the file is refused */
    WindowClock(PolicyFile file) {
        policy = file.policy(moment);
        Arrays.fill(minutes, Long.MIN_VALUE);
    }

    Policy policy() {
        return policy;
    }

    ZoneId zone() {
        return policy.zone();
    }

    /** The number of the window that was in force then. */
    int windowAt(long millis) {
        long minute = Math.floorDiv(millis, MINUTE);
        int slot = (int) minute & (KEPT - 1);
        if (minutes[slot] != minute) {
            moment.millis = minute * MINUTE;
            String name = policy.window();
            int window = names.indexOf(name);
            if (window < 0) {
                window = names.size();
                names.add(name);
                seen.add(moment.millis);
            }
            minutes[slot] = minute;
            windows[slot] = window;
        }
        return windows[slot];
    }

    String name(int window) {
        return names.get(window);
    }

    /** What the policy says while that window is in force. */
    <T> T in(int window, Supplier<T> question) {
        moment.millis = seen.get(window);
        return question.get();
    }
}
