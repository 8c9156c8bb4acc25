package dev.hangup.policy;

import java.time.Duration;
import java.util.Map;

/** What one endpoint or source has for each window. Immutable. */
final class Deadlines {

    private final Windows windows;
    private final Duration[] byWindow;

    /**
     * Looks each window's value up once, in this order: entry and window, entry and {@code normal}, defaults and window,
     * defaults and {@code normal}.
     */
    Deadlines(Windows windows, Map<String, Duration> entry, Map<String, Duration> defaults) {
        this.windows = windows;
        this.byWindow = new Duration[windows.names().size()];
        Duration last = defaults.getOrDefault(Windows.NORMAL_NAME, Policy.DEFAULT_DEADLINE);
        for (int i = 0; i < byWindow.length; i++) {
            String window = windows.names().get(i);
            Duration general = entry.getOrDefault(Windows.NORMAL_NAME, defaults.getOrDefault(window, last));
            byWindow[i] = entry.getOrDefault(window, general);
        }
    }

    Duration now() {
        return byWindow[windows.current()];
    }

    /** As it was so long ago. */
    Duration before(Duration ago) {
        return byWindow[windows.before(ago)];
    }

    /** The value now, or what is left if that is less. */
    Source.Budget budget(Duration left) {
        int window = windows.current();
        Duration own = byWindow[window];
        boolean less = left.compareTo(own) < 0;
        return new Source.Budget(less ? left : own, windows.names().get(window), less);
    }

    /** The window in force and its value, such as {@code spike_00: 45s}. */
    String describe() {
        int window = windows.current();
        return windows.names().get(window) + ": " + Durations.format(byWindow[window]);
    }
}
