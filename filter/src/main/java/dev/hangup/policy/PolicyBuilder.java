package dev.hangup.policy;

import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Policy}; not for use by several threads at once. */
public final class PolicyBuilder {

    Mode mode = Mode.OBSERVE;
    HalfClose halfClose = HalfClose.GONE;
    ZoneId zone = ZoneId.of("UTC");
    Settings settings = Settings.DEFAULTS;
    CallerDeadline callerDeadline = CallerDeadline.OFF;
    InstantSource clock = InstantSource.system();
    Pace pace = Pace.atOnce();
    final Map<String, Window> windows = new LinkedHashMap<>();
    final Map<String, Duration> deadlines = new LinkedHashMap<>();
    final Map<String, Duration> timeouts = new LinkedHashMap<>();
    final Map<String, Origin> sources = new LinkedHashMap<>();
    private final Map<String, String> sourcesByHost = new HashMap<>();
    final Map<String, Map.Entry<Template, Entry>> endpoints = new LinkedHashMap<>();

    PolicyBuilder() {}

    /** The mode of endpoints without one of their own. Default: {@link Mode#OBSERVE}. */
    public PolicyBuilder mode(Mode mode) {
        this.mode = mode;
        return this;
    }

    /** What a half-close means. Default: {@link HalfClose#GONE}. */
    public PolicyBuilder halfClose(HalfClose halfClose) {
        this.halfClose = halfClose;
        return this;
    }

    /** The time zone in which windows are read. Default: UTC. */
    public PolicyBuilder zone(ZoneId zone) {
        this.zone = zone;
        return this;
    }

    /** The engine's numbers. Default: {@link Settings#DEFAULTS}. */
    public PolicyBuilder settings(Settings settings) {
        this.settings = settings;
        return this;
    }

    /** What callers may declare, and who is believed. Default: {@link CallerDeadline#OFF}. */
    public PolicyBuilder callerDeadline(CallerDeadline callerDeadline) {
        this.callerDeadline = callerDeadline;
        return this;
    }

    /**
     * The deadline of endpoints without one of their own. Default: 30 s.
     *
     * @throws IllegalArgumentException if it is not above zero
     */
    public PolicyBuilder deadline(Duration deadline) {
        return deadline(Windows.NORMAL_NAME, deadline);
    }

    /**
     * The same for a window; {@code normal} is the time outside all others.
     *
     * @throws IllegalArgumentException if it is not above zero
     */
    public PolicyBuilder deadline(String window, Duration deadline) {
        Settings.aboveZero("deadline", deadline);
        deadlines.put(window, deadline);
        return this;
    }

    /**
     * Adds a window after the others: the first that holds is in force.
     *
     * @throws IllegalArgumentException if it holds at all times, or if there are 1,000 already
     */
    public PolicyBuilder window(String name, Window window) {
        if (window.isEver() || windows.size() >= Windows.MOST) {
            throw new IllegalArgumentException("window \"" + name + "\" "
                    + (window.isEver() ? "is all time" : "is one too many")
                    + "; expected minutes, hours or days, and at most "
                    + Windows.MOST + " windows");
        }
        windows.put(name, window);
        return this;
    }

    /** What tells which window is in force. Default: the system's clock. Deadlines that run are measured by another. */
    public PolicyBuilder clock(InstantSource clock) {
        this.clock = clock;
        return this;
    }

    /**
     * How long to wait for sources without a timeout of their own, in a window or in {@code normal}. Default: 30 s.
     *
     * @throws IllegalArgumentException if it is not above zero
     */
    public PolicyBuilder timeout(String window, Duration timeout) {
        Settings.aboveZero("timeout", timeout);
        timeouts.put(window, timeout);
        return this;
    }

    /**
     * Adds something that the application calls downstream, in place of an earlier one of the same name.
     *
     * @param host its host, or host and port
     * @param timeouts by window, {@code normal} among them
     * @throws IllegalArgumentException if a timeout is not above zero
     */
    public PolicyBuilder source(String name, String host, Map<String, Duration> timeouts) {
        timeouts.values().forEach(timeout -> Settings.aboveZero("timeout", timeout));
        Origin before = sources.put(name, new Origin(name, host, Map.copyOf(timeouts)));
        if (before != null) {
            sourcesByHost.remove(SourceIndex.key(before.host), name);
        }
        sourcesByHost.putIfAbsent(SourceIndex.key(host), name);
        return this;
    }

    /**
     * Gives an endpoint an entry of its own, in place of an earlier one for the same requests.
     *
     * @param name method and path, such as {@code GET /reports/{id}}; a variable stands for one segment, or a part of one
     * @throws IllegalArgumentException if the name is malformed
     */
    public PolicyBuilder endpoint(String name, Entry entry) {
        return endpoint(Template.parse(name), entry);
    }

    /**
     * The policy; the builder may be used further.
     *
     * @throws IllegalArgumentException if something has a value for a window that there is not
     */
    public Policy build() {
        known("deadlines", deadlines.keySet());
        known("timeouts", timeouts.keySet());
        endpoints
                .values()
                .forEach(endpoint -> known(
                        endpoint.getKey().name(),
                        endpoint.getValue().deadlines().keySet()));
        sources.values().forEach(source -> known(source.name, source.timeouts.keySet()));
        return new Policy(this);
    }

    private void known(String where, Set<String> names) {
        pace.step();
        for (String name : names) {
            if (!name.equals(Windows.NORMAL_NAME) && !windows.containsKey(name)) {
                throw new IllegalArgumentException(
                        where + ": there is no window \"" + name + "\"; expected normal or one of " + windows.keySet());
            }
        }
    }

    Set<String> windows() {
        return windows.keySet();
    }

    /** A name that is not to be called unknown, though its window is none. */
    void knownWindow(String name) {
        windows.put(name, Window.EVER);
    }

    /** The source of that host, or null. */
    @Nullable
    String sourceAt(String host) {
        return sourcesByHost.get(SourceIndex.key(host));
    }

    PolicyBuilder endpoint(Template template, Entry entry) {
        endpoints.put(template.shape(), Map.entry(template, entry));
        return this;
    }

    PolicyBuilder pace(Pace pace) {
        this.pace = pace;
        return this;
    }

    Settings settings() {
        return settings;
    }

    record Origin(String name, String host, Map<String, Duration> timeouts) {}
}
