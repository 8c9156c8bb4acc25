package dev.hangup.call;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands each call of a race from its pool thread to one other thread, without a lock and without waiting: the pool thread only
 * waits for the other to be done with a call when it has begun the next one.
 */
final class RaceGate {
    /** Longer than anything here takes, unless it waits in vain. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Shared by the gates of a race: the first failure, which ends it. */
    private final AtomicReference<@Nullable Throwable> failure;

    private volatile @Nullable RaceRound offered;
    private volatile @Nullable RaceRound done;
    private volatile boolean closed;

    RaceGate(AtomicReference<@Nullable Throwable> failure) {
        this.failure = failure;
    }

    /** A thread that does {@code action} once for each call offered, until the gate is closed. */
    Thread serve(Consumer<RaceRound> action) {
        Thread thread = new Thread(() -> {
            try {
                RaceRound round = null;
                for (; ; ) {
                    RaceRound last = round;
                    await(() -> closed || offered != last);
                    round = offered;
                    if (round == last || round == null) {
                        return;
                    }
                    action.accept(round);
                    done = round;
                }
            } catch (Throwable t) {
                failure.compareAndSet(null, t);
            }
        });
        thread.start();
        return thread;
    }

    void offer(RaceRound round) {
        offered = round;
    }

    boolean isDone(RaceRound round) {
        return done == round;
    }

    void awaitDone(RaceRound round) {
        await(() -> done == round);
    }

    void close() {
        closed = true;
    }

    /** Spins, because a wake-up would cost more than the whole call that is waited for. */
    @SuppressWarnings("ThreadPriorityCheck")
    private void await(BooleanSupplier condition) {
        long until = 0;
        for (int spins = 1; !condition.getAsBoolean(); spins++) {
            if (spins % 100 != 0) {
                Thread.onSpinWait();
                continue;
            }
            if (failure.get() != null) {
                throw new IllegalStateException("the other side of the race has failed");
            }
            Thread.yield();
            long now = System.nanoTime();
            if (until == 0) {
                until = now + 2 * PATIENCE.toNanos();
            } else if (now - until > 0) {
                throw new AssertionError("the other side of the race stands still");
            }
        }
    }
}
