package dev.hangup.demo;

import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The demo's own books: every attempt of a phase, by the number that its request carries. Any thread may use it. Nothing in
 * it comes from Hangup.
 */
final class Ledger {
    /** Numbers that no visitor would choose. */
    private static final long FIRST = 1_000_000;

    /** Never reused, so that late work of an earlier phase is not booked on this one. */
    private final AtomicLong ids = new AtomicLong(FIRST);

    private volatile ConcurrentMap<Long, Attempt> attempts = new ConcurrentHashMap<>();

    /** Forgets what was booked; between phases, when no work goes on. */
    void clear() {
        attempts = new ConcurrentHashMap<>();
    }

    Attempt open(boolean slow) {
        Attempt attempt = new Attempt(ids.incrementAndGet(), slow, Attempt.now());
        attempts.put(attempt.id, attempt);
        return attempt;
    }

    @Nullable
    Attempt attempt(long id) {
        return attempts.get(id);
    }

    Collection<Attempt> all() {
        return Collections.unmodifiableCollection(attempts.values());
    }

    /** Whether the server works on any of them. */
    boolean working() {
        return attempts.values().stream().anyMatch(Attempt::working);
    }

    Figures figures(Window window, int pool) {
        return Figures.of(attempts.values(), window, pool);
    }
}
