package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Cancels race the ends of calls, on real threads: no leak, no lost cancel, one terminal transition. Each round is one call that
 * one canceller tries to cancel once. Repeat a failure with {@code -Dhangup.seed=} the seed printed; the timing of the threads
 * is not in it, so it may take some repeating.
 */
@Timeout(300)
@DisplayName("case 33: delivering an interrupt and clearing it are one handshake")
final class HandshakeRaceTest {
    private static final int ROUNDS = Integer.getInteger("hangup.rounds", 1_000_000);

    private final long seed = Long.getLong("hangup.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final RaceGate cancels = new RaceGate(failure);
    private final RaceGate others = new RaceGate(failure);
    private final RaceCanceller canceller = new RaceCanceller(random.split());

    @Test
    void cancelRacesTheEndOfTheCall() throws Exception {
        race("synchronous", ROUNDS, false, new Ending() {
            @Override
            public void end(RaceWork work) {
                boolean responseFirst = random.nextBoolean();
                if (responseFirst) {
                    work.round.call.responseOver();
                }
                work.leave();
                if (!responseFirst) {
                    work.round.call.responseOver();
                }
            }
        });
    }

    @Test
    void cancelRacesTheEndOfTheCallOnAVirtualThread() throws Exception {
        assumeTrue(VirtualThreads.SUPPORTED, "needs Java 21");
        race("virtual", ROUNDS / 10, true, work -> {
            work.leave();
            work.round.call.responseOver();
        });
    }

    /** The response ends on another thread, and so may the call. */
    @Test
    void cancelAndAsynchronousEndRaceTheWorkersLeave() throws Exception {
        SplittableRandom pauses = random.split();
        Thread container = others.serve(round -> {
            RaceWork.spin(pauses);
            round.call.responseOver();
            round.call.responseOver();
        });
        race("asynchronous", ROUNDS / 10, false, new Ending() {
            @Override
            public void end(RaceWork work) {
                others.offer(work.round);
                work.leave();
            }

            @Override
            public void settle(RaceRound round) {
                others.awaitDone(round);
            }
        });
        container.join();
    }

    /** A task of the call runs on another pool thread: it holds the call, is interrupted with it, or finds it over. */
    @Test
    void cancelReachesAChildThatOutlivesItsParentsWork() throws Exception {
        SplittableRandom tasks = random.split();
        CallScope bystander = bystander();
        Thread pool = others.serve(round -> {
            RaceWork.notInterrupted();
            AtomicReference<@Nullable RaceWork> child = new AtomicReference<>();
            round.call
                    .wrap(() -> {
                        RaceWork work = new RaceWork(tasks, bystander, round);
                        child.set(work);
                        work.run(cancels);
                    })
                    .run();
            RaceWork.notInterrupted();
            round.require(Worker.CURRENT.get() == null, "is still current on a pool thread");
            round.require(child.get() != null || round.call.isCancelled(), "did not run its task");
        });
        race("with children", ROUNDS / 10, false, new Ending() {
            @Override
            public void begin(RaceWork work) {
                work.mayDetach = false; // or nothing would end the child's wait
                others.offer(work.round);
            }

            @Override
            public void end(RaceWork work) {
                work.round.call.responseOver();
                work.leave();
            }

            @Override
            public void settle(RaceRound round) {
                others.awaitDone(round);
            }
        });
        pool.join();
    }

    /**
     * The smallest race of all, without what lies around it: a guard is left while a cancel marks the call and looks for whom to
     * interrupt. One of the two must see the other.
     */
    @Test
    void leavingAGuardRacesTheMarkOfACancel() throws Exception {
        Thread cancelling = cancels.serve(round -> {
            round.call.toCancelling(CancelReason.MANUAL);
            round.call.eachWorker(Worker::deliver);
        });
        try {
            for (int i = 0; i < ROUNDS / 10; i++) {
                RaceRound round = new RaceRound();
                cancels.offer(round);
                boolean told = false;
                while (!told && !cancels.isDone(round)) {
                    CallScope.enterGuard();
                    told = CallScope.leaveGuard();
                }
                cancels.awaitDone(round);
                round.require(told || Thread.currentThread().isInterrupted(), "lost its cancel");
                TestRuntime.end(round.call);
                RaceWork.notInterrupted();
            }
        } finally {
            cancels.close();
            cancelling.join();
        }
    }

    /** The smallest race for the state itself: a call is detached or cancelled, never both. */
    @Test
    void detachRacesTheMarkOfACancel() throws Exception {
        Thread cancelling = cancels.serve(round -> {
            round.won = round.call.toCancelling(CancelReason.MANUAL);
        });
        int detached = 0;
        int rounds = 0;
        try {
            while (rounds < ROUNDS / 10 || (rounds < ROUNDS && (detached == 0 || detached == rounds))) {
                rounds++;
                RaceRound round = new RaceRound();
                cancels.offer(round);
                // Mostly short, now and then long enough for a busy machine, where the other thread comes late.
                int longest = rounds < ROUNDS / 10 ? 13 : 20;
                for (int pause = random.nextInt(1 << random.nextInt(longest)); pause > 0; pause--) {
                    Thread.onSpinWait();
                }
                round.detached = round.call.toDetached();
                cancels.awaitDone(round);
                round.require(round.won != round.detached, "was cancelled and detached, or neither");
                round.require(round.call.isCancelled() == round.won, "forgot which of the two it was");
                TestRuntime.end(round.call);
                detached += round.detached ? 1 : 0;
            }
        } finally {
            cancels.close();
            cancelling.join();
        }
        assertThat(detached).as("detaches that won").isBetween(1, rounds - 1);
    }

    private void race(String name, int rounds, boolean virtual, Ending ending) throws Exception {
        System.out.println("race, " + name + ": -Dhangup.seed=" + seed);
        long began = System.nanoTime();
        Thread cancelling = cancels.serve(canceller::cancel);
        Runnable calls = () -> {
            try {
                calls(rounds, ending);
            } catch (Throwable t) {
                failure.compareAndSet(null, t);
            } finally {
                cancels.close();
                others.close();
            }
        };
        Thread pool = virtual ? VirtualThreads.start(calls) : new Thread(calls);
        if (!virtual) {
            pool.start();
        }
        pool.join();
        cancelling.join();
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError(failed.getMessage(), failed);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.println(rounds + " rounds in " + took.toMillis() + " ms, " + canceller);
        for (int phase : new int[] {RaceRound.WORKING, RaceRound.GUARDED, RaceRound.PARKED, RaceRound.LEAVING}) {
            assertThat(canceller.wins(phase))
                    .as("cancels while " + RaceRound.PHASES[phase])
                    .isPositive();
        }
    }

    private void calls(int rounds, Ending ending) {
        CallScope bystander = bystander();
        RaceRound previous = null;
        for (int i = 0; i < rounds; i++) {
            RaceWork work = new RaceWork(random, bystander);
            settle(previous, ending);
            work.untouched();
            cancels.offer(work.round);
            ending.begin(work);
            work.run(cancels);
            ending.end(work);
            previous = work.round;
        }
        settle(previous, ending);
    }

    private void settle(@Nullable RaceRound round, Ending ending) {
        if (round != null) {
            cancels.awaitDone(round);
            ending.settle(round);
            round.verify();
        }
    }

    /** A call that goes on, and for which nobody works any more. */
    private static CallScope bystander() {
        RaceRound round = new RaceRound();
        round.call.leave();
        return round.call;
    }

    /** What differs from race to race. All on the pool thread. */
    interface Ending {
        default void begin(RaceWork work) {}

        void end(RaceWork work);

        default void settle(RaceRound round) {}
    }
}
