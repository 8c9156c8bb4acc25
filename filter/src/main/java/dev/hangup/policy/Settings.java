package dev.hangup.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The engine's own numbers, the section {@code settings} of a policy file. Start from {@link #DEFAULTS} and change what differs:
 * {@code Settings.DEFAULTS.withGrace(Duration.ofMillis(50))}.
 *
 * @param grace a call younger than this is not watched; zero or more
 * @param escalateAfter how long after a cancel the worker is interrupted again and its connections are aborted; above zero
 * @param stuckAfter how long after a cancel a call that still runs is counted as stuck; above zero
 * @param drain how long, at shutdown, calls whose callers still wait may go on; zero or more
 * @param retryAfter the {@code Retry-After} sent when a deadline has passed; null: none is sent; above zero
 * @param deadlineStatus the HTTP status sent when a deadline has passed; 400 to 599
 * @param keepAlive how vanished hosts are found on watched connections of endpoints that cancel; null: not at all
 * @param maxCancelShare part of the calls of 10 s; while more than that would be cancelled, none is; above 0, up to 1: no limit
 * @param requestStartHeader the header by which trusted peers tell when they took a request in, see {@link RequestStart}; null: none
 */
public record Settings(
        Duration grace,
        Duration escalateAfter,
        Duration stuckAfter,
        Duration drain,
        @Nullable Duration retryAfter,
        int deadlineStatus,
        @Nullable KeepAlive keepAlive,
        double maxCancelShare,
        @Nullable String requestStartHeader) {

    /** The {@code maxCancelShare} that limits nothing. */
    public static final double NO_LIMIT = 1;

    /** What holds where nothing is said: 100 ms, 2 s, 10 s, 5 s, no {@code Retry-After}, 504, no keep-alive, no limit, no header. */
    public static final Settings DEFAULTS = new Settings(
            Duration.ofMillis(100),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            null,
            504,
            null,
            NO_LIMIT,
            null);

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if a number is out of its bounds; the message names it
     */
    public Settings {
        fromZero("grace", grace);
        aboveZero("escalateAfter", escalateAfter);
        aboveZero("stuckAfter", stuckAfter);
        fromZero("drain", drain);
        if (retryAfter != null) {
            aboveZero("retryAfter", retryAfter);
        }
        if (deadlineStatus < 400 || deadlineStatus > 599) {
            throw new IllegalArgumentException("deadlineStatus must be from 400 to 599, not " + deadlineStatus);
        }
        if (!(maxCancelShare > 0 && maxCancelShare <= NO_LIMIT)) {
            throw new IllegalArgumentException("maxCancelShare must be above 0 and at most 1, not " + maxCancelShare);
        }
        if (requestStartHeader != null && !FieldText.isToken(requestStartHeader)) {
            throw new IllegalArgumentException("requestStartHeader must be the name of a header");
        }
    }

    /** These settings with another grace. */
    public Settings withGrace(Duration grace) {
        return new Settings(
                grace,
                escalateAfter,
                stuckAfter,
                drain,
                retryAfter,
                deadlineStatus,
                keepAlive,
                maxCancelShare,
                requestStartHeader);
    }

    /** These settings with another time to escalation. */
    public Settings withEscalateAfter(Duration escalateAfter) {
        return new Settings(
                grace,
                escalateAfter,
                stuckAfter,
                drain,
                retryAfter,
                deadlineStatus,
                keepAlive,
                maxCancelShare,
                requestStartHeader);
    }

    /** These settings with another time until a call counts as stuck. */
    public Settings withStuckAfter(Duration stuckAfter) {
        return new Settings(
                grace,
                escalateAfter,
                stuckAfter,
                drain,
                retryAfter,
                deadlineStatus,
                keepAlive,
                maxCancelShare,
                requestStartHeader);
    }

    /** These settings with another drain time. */
    public Settings withDrain(Duration drain) {
        return new Settings(
                grace,
                escalateAfter,
                stuckAfter,
                drain,
                retryAfter,
                deadlineStatus,
                keepAlive,
                maxCancelShare,
                requestStartHeader);
    }

    /** These settings with a {@code Retry-After}, or with null without one. */
    public Settings withRetryAfter(@Nullable Duration retryAfter) {
        return new Settings(
                grace,
                escalateAfter,
                stuckAfter,
                drain,
                retryAfter,
                deadlineStatus,
                keepAlive,
                maxCancelShare,
                requestStartHeader);
    }

    /** These settings with another status for a passed deadline. */
    public Settings withDeadlineStatus(int deadlineStatus) {
        return new Settings(
                grace,
                escalateAfter,
                stuckAfter,
                drain,
                retryAfter,
                deadlineStatus,
                keepAlive,
                maxCancelShare,
                requestStartHeader);
    }

    /** These settings with a keep-alive, or with null without one. */
    public Settings withKeepAlive(@Nullable KeepAlive keepAlive) {
        return new Settings(
                grace,
                escalateAfter,
                stuckAfter,
                drain,
                retryAfter,
                deadlineStatus,
                keepAlive,
                maxCancelShare,
                requestStartHeader);
    }

    /** These settings with a limit to the part of the calls that is cancelled, or with {@link #NO_LIMIT}. */
    public Settings withMaxCancelShare(double maxCancelShare) {
        return new Settings(
                grace,
                escalateAfter,
                stuckAfter,
                drain,
                retryAfter,
                deadlineStatus,
                keepAlive,
                maxCancelShare,
                requestStartHeader);
    }

    /**
     * These settings with a header that tells when a request was taken in, or with null without one.
     *
     * @throws IllegalArgumentException if it is no name of a header
     */
    public Settings withRequestStartHeader(@Nullable String requestStartHeader) {
        return new Settings(
                grace,
                escalateAfter,
                stuckAfter,
                drain,
                retryAfter,
                deadlineStatus,
                keepAlive,
                maxCancelShare,
                requestStartHeader);
    }

    static void aboveZero(String name, Duration duration) {
        if (duration.isZero()) {
            throw new IllegalArgumentException(name + " must be above zero");
        }
        fromZero(name, duration);
    }

    private static void fromZero(String name, Duration duration) {
        if (duration.isNegative() || duration.compareTo(Durations.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + " must be from 0 to " + Durations.LONGEST.toDays() + " days, not " + duration);
        }
    }
}
