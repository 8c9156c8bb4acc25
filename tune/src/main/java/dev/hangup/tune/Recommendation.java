package dev.hangup.tune;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is recommended for one endpoint (or source) in one window, and on what evidence. Immutable.
 *
 * @param endpoint the endpoint's name, or the source's, as the policy has it
 * @param window the window's name, {@code normal} outside all others
 * @param samples calls that succeeded or whose caller left; errors are none
 * @param p95 of the successes, as is {@code p99}: reported, not obeyed; null without successes
 * @param current the value in force; null if none is known
 * @param recommended null if there are too few samples
 * @param estimatedSuccessRate the part of the calls that would finish within the recommended value; null with it
 * @param issue null if nothing stands in the way
 * @param decision null where no value in force is known
 * @param more further figures, each under its JSON key, in order: numbers, texts, lists and maps of them, or null
 */
public record Recommendation(
        String endpoint,
        String window,
        long samples,
        @Nullable Duration p95,
        @Nullable Duration p99,
        @Nullable Duration current,
        @Nullable Duration recommended,
        @Nullable Double estimatedSuccessRate,
        @Nullable Issue issue,
        @Nullable Decision decision,
        Stability stability,
        Tail tail,
        Map<String, Object> more) {}
