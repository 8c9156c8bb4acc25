package dev.hangup.demo;

import java.time.Duration;
import java.util.Locale;

/**
 * The server and its callers at a scale: both timeouts and the pool shrink with it, the arrivals and what a fast request takes
 * do not, so that the arithmetic's shares stay what they are.
 *
 * @param scale 1 for 30 s, 5 s and 256 connections
 * @param slowWork how long a slow report works: as long as the server allows
 * @param fastWork how long a fast one works, at every scale
 * @param patience how long a caller waits for a response, and the application for a connection
 * @param pool connections
 * @param workers threads of the server; plenty, so that the pool is what runs short
 */
record Scenario(double scale, Duration slowWork, Duration fastWork, Duration patience, int pool, int workers) {
    static final double REQUESTS_PER_SECOND = 100;
    static final double SLOW_SHARE = 0.08;
    static final int ATTEMPTS = 4;

    private static final Duration SERVER_LIMIT = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration FAST_WORK = Duration.ofMillis(50);
    private static final double POOL = 256;

    static Scenario at(double scale) {
        int pool = (int) Math.ceil(POOL * scale);
        return new Scenario(
                scale, scaled(SERVER_LIMIT, scale), FAST_WORK, scaled(PATIENCE, scale), pool, Math.max(128, 10 * pool));
    }

    /** The pool counts unrounded here: the shares are those of every scale. */
    Arithmetic arithmetic(double slowShare) {
        return new Arithmetic(REQUESTS_PER_SECOND, slowShare, slowWork, patience, POOL * scale);
    }

    /** In one line, for people. */
    String describe() {
        return String.format(
                Locale.ROOT,
                "%.0f requests/s, %.0f %% of them slow; slow work %s, fast %s; callers wait %s; %d connections (scale %s)",
                REQUESTS_PER_SECOND,
                100 * SLOW_SHARE,
                Table.seconds(slowWork),
                Table.seconds(fastWork),
                Table.seconds(patience),
                pool,
                scale);
    }

    static Duration scaled(Duration duration, double scale) {
        return Duration.ofNanos(Math.round(duration.toNanos() * scale));
    }
}
