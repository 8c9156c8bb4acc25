package dev.hangup.tune;

import dev.hangup.policy.Verdict;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a server's deadline and its callers' timeout cost together, while a steady part of the requests takes longer than either.
 * Exact but for divisions. The connections that still work for somebody are left out: what is free is an upper bound.
 *
 * @param rps requests per second
 * @param slow the part of them that is slow
 * @param server the server's deadline
 * @param client how long callers wait
 * @param pool connections
 * @param work how long slow work takes; null: as long as the server lets it
 * @param cancels whether the server stops when its caller has left
 */
record GapArithmetic(
        BigDecimal rps,
        Share slow,
        Duration server,
        Duration client,
        int pool,
        @Nullable Duration work,
        boolean cancels) {

    /** One of a caller's attempts: the connection-seconds that it adds, and all so far. */
    record Attempt(int attempt, BigDecimal added, BigDecimal cumulative) {}

    /** The same pair when nothing is slow. */
    GapArithmetic withNothingSlow() {
        return new GapArithmetic(rps, new Share(BigDecimal.ZERO), server, client, pool, work, cancels);
    }

    GapArithmetic with(Duration server, Duration client, boolean cancels) {
        return new GapArithmetic(rps, slow, server, client, pool, work, cancels);
    }

    BigDecimal slowPerSecond() {
        return plain(rps.multiply(slow.exact()));
    }

    /** Seconds for which each slow call goes on after its caller has left. */
    BigDecimal ownerlessSeconds() {
        Duration end = work == null || work.compareTo(server) > 0 ? server : work;
        Duration left = end.minus(client);
        return cancels || left.isNegative() ? BigDecimal.ZERO : seconds(left);
    }

    BigDecimal unownedInFlight() {
        return plain(slowPerSecond().multiply(ownerlessSeconds()));
    }

    /** From 0; 1 or more: the pool is exhausted. */
    BigDecimal poolShare() {
        return plain(unownedInFlight().divide(BigDecimal.valueOf(pool), MathContext.DECIMAL64));
    }

    BigDecimal poolAvailable() {
        return plain(BigDecimal.valueOf(pool).subtract(unownedInFlight()).max(BigDecimal.ZERO));
    }

    /** Requests per second that the connections left can serve if each takes as long as callers wait; cut to a whole number. */
    long servablePerSecond() {
        return poolAvailable()
                .divide(seconds(client), 0, RoundingMode.DOWN)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValue();
    }

    boolean exhausted() {
        return unownedInFlight().compareTo(BigDecimal.valueOf(pool)) >= 0;
    }

    /** Seconds from the first departure until no connection is left; null if some always are. */
    @Nullable
    BigDecimal secondsUntilExhausted() {
        return exhausted() ? plain(BigDecimal.valueOf(pool).divide(slowPerSecond(), MathContext.DECIMAL64)) : null;
    }

    /** How long callers wait on for an answer that the server has given up. */
    BigDecimal waitedForKilledSeconds() {
        Duration beyond = client.minus(server);
        return beyond.isNegative() ? BigDecimal.ZERO : seconds(beyond);
    }

    /** What a caller's attempts add, one after the other; only the first has an owner to begin with. */
    List<Attempt> attempts(int count) {
        BigDecimal added = ownerlessSeconds();
        return IntStream.rangeClosed(1, count)
                .mapToObj(n -> new Attempt(n, added, plain(added.multiply(BigDecimal.valueOf(n)))))
                .toList();
    }

    /** What all attempts but the first add. */
    BigDecimal addedByRetries(int attempts) {
        return plain(ownerlessSeconds().multiply(BigDecimal.valueOf(attempts - 1L)));
    }

    Verdict verdict() {
        int order = client.compareTo(server);
        if (order == 0) {
            return Verdict.NO_HEADROOM;
        }
        if (order > 0) {
            return Verdict.WAITS_FOR_KILLED;
        }
        return cancels ? Verdict.STABLE : Verdict.WORKS_FOR_NOBODY;
    }

    static BigDecimal seconds(Duration span) {
        return plain(BigDecimal.valueOf(span.getSeconds()).add(BigDecimal.valueOf(span.getNano(), 9)));
    }

    /** Without zeros at the end, and never in the notation with an exponent. */
    private static BigDecimal plain(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
