package dev.hangup.policy;

import dev.hangup.call.CallerAware;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a policy says about one endpoint; what it leaves open comes from the policy's defaults. Immutable, written as
 * {@code Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30))}.
 */
public final class Entry {

    /**
     * An entry that says nothing but the endpoint's name. It inherits the policy's mode whatever the method is: naming an
     * endpoint is deliberate, so under {@code mode: cancel} a named POST is cancelled too.
     */
    public static final Entry INHERITED = new Entry(null, Map.of(), null, null, null, null, Covers.RESPONSE);

    private final @Nullable Mode mode;
    private final Map<String, Duration> deadlines;
    private final @Nullable Boolean interrupt;
    private final @Nullable HalfClose halfClose;
    private final @Nullable Duration escalateAfter;
    private final @Nullable Duration stuckAfter;
    private final Covers covers;

    private Entry(
            @Nullable Mode mode,
            Map<String, Duration> deadlines,
            @Nullable Boolean interrupt,
            @Nullable HalfClose halfClose,
            @Nullable Duration escalateAfter,
            @Nullable Duration stuckAfter,
            Covers covers) {
        this.mode = mode;
        this.deadlines = deadlines;
        this.interrupt = interrupt;
        this.halfClose = halfClose;
        this.escalateAfter = escalateAfter;
        this.stuckAfter = stuckAfter;
        this.covers = covers;
    }

    /** An entry with its own mode. */
    public static Entry of(Mode mode) {
        return INHERITED.mode(mode);
    }

    /** This entry with a mode of its own. */
    public Entry mode(Mode mode) {
        return new Entry(mode, deadlines, interrupt, halfClose, escalateAfter, stuckAfter, covers);
    }

    /**
     * This entry with a deadline outside all named windows.
     *
     * @throws IllegalArgumentException if the deadline is not above zero
     */
    public Entry normal(Duration deadline) {
        return in(Windows.NORMAL_NAME, deadline);
    }

    /**
     * This entry with a deadline for a window of the policy.
     *
     * @throws IllegalArgumentException if the deadline is not above zero; a window that the policy does not have is its
     *     builder's to refuse
     */
    public Entry in(String window, Duration deadline) {
        Settings.aboveZero(window, deadline);
        Map<String, Duration> changed = new LinkedHashMap<>(deadlines);
        changed.put(window, deadline);
        return new Entry(mode, Map.copyOf(changed), interrupt, halfClose, escalateAfter, stuckAfter, covers);
    }

    /** This entry with workers that are interrupted by a cancel (the default) or left to flag, hooks and JDBC. */
    public Entry interrupt(boolean interrupt) {
        return new Entry(mode, deadlines, interrupt, halfClose, escalateAfter, stuckAfter, covers);
    }

    /** This entry with a meaning of its own for half-closes. */
    public Entry halfClose(HalfClose halfClose) {
        return new Entry(mode, deadlines, interrupt, halfClose, escalateAfter, stuckAfter, covers);
    }

    /**
     * This entry with a time of its own from the cancel to the second interrupt and the aborts.
     *
     * @throws IllegalArgumentException if it is not above zero
     */
    public Entry escalateAfter(Duration escalateAfter) {
        Settings.aboveZero("escalateAfter", escalateAfter);
        return new Entry(mode, deadlines, interrupt, halfClose, escalateAfter, stuckAfter, covers);
    }

    /**
     * This entry with a time of its own from the cancel to the report of stuck work.
     *
     * @throws IllegalArgumentException if it is not above zero
     */
    public Entry stuckAfter(Duration stuckAfter) {
        Settings.aboveZero("stuckAfter", stuckAfter);
        return new Entry(mode, deadlines, interrupt, halfClose, escalateAfter, stuckAfter, covers);
    }

    /** This entry, and where it says nothing what the annotation says. */
    Entry over(CallerAware annotation) {
        Mode theirs = annotation.onCallerGone() == CallerAware.Reaction.CANCEL ? Mode.CANCEL : Mode.OBSERVE;
        Entry merged = mode == null ? mode(theirs) : this;
        merged = interrupt == null ? merged.interrupt(annotation.interrupt()) : merged;
        boolean silent = annotation.deadline().isEmpty();
        Duration normal = silent ? null : Durations.parse(annotation.deadline());
        return normal == null || deadlines.containsKey(Windows.NORMAL_NAME) ? merged : merged.normal(normal);
    }

    /** This entry with a deadline for so much of the answer. Default: {@link Covers#RESPONSE}. */
    public Entry covers(Covers covers) {
        return new Entry(mode, deadlines, interrupt, halfClose, escalateAfter, stuckAfter, covers);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Entry entry
                && mode == entry.mode
                && deadlines.equals(entry.deadlines)
                && Objects.equals(interrupt, entry.interrupt)
                && halfClose == entry.halfClose
                && Objects.equals(escalateAfter, entry.escalateAfter)
                && Objects.equals(stuckAfter, entry.stuckAfter)
                && covers == entry.covers;
    }

    @Override
    public int hashCode() {
        return deadlines.hashCode(); // what entries mostly differ in
    }

    Covers covers() {
        return covers;
    }

    @Nullable
    Mode mode() {
        return mode;
    }

    Map<String, Duration> deadlines() {
        return deadlines;
    }

    boolean interrupts() {
        return interrupt == null || interrupt;
    }

    @Nullable
    HalfClose halfClose() {
        return halfClose;
    }

    /** Null: as the settings say; {@link #stuckAfter()} the same. */
    @Nullable
    Duration escalateAfter() {
        return escalateAfter;
    }

    @Nullable
    Duration stuckAfter() {
        return stuckAfter;
    }
}
