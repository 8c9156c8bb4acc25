package dev.hangup.call;

import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What the pool thread of a race does in one call: works at random inside and outside of guards, parked, nested or leaving. The
 * thread never waits for the canceller of a call before it begins the next one: an interrupt that is delivered too late hits
 * that one, and is seen there.
 */
final class RaceWork {
    private final SplittableRandom random;
    private final CallScope bystander;
    final RaceRound round;
    /** A flag that somebody else has set and nobody has answered. */
    private boolean foreign;
    /** The cancel has reached the work: as an interrupt, or on leaving a guard. */
    private boolean told;
    /** Whether this thread began the call: then it may also cancel and detach it. */
    private final boolean first;

    boolean mayDetach;

    /**
     * Begins the call.
     *
     * @param bystander another call, never cancelled, for which this thread works in between
     */
    RaceWork(SplittableRandom random, CallScope bystander) {
        this.random = random;
        this.bystander = bystander;
        this.first = true;
        this.mayDetach = true;
        notInterrupted();
        foreign = random.nextInt(8) == 0;
        if (foreign) {
            Thread.currentThread().interrupt();
        }
        round = new RaceRound();
    }

    /** A task of a call that another thread began, once it is attached. */
    RaceWork(SplittableRandom random, CallScope bystander, RaceRound round) {
        this.random = random;
        this.bystander = bystander;
        this.round = round;
        this.first = false;
    }

    /** To be called by a pool thread between two calls. */
    static void notInterrupted() {
        if (Thread.interrupted()) {
            throw new AssertionError("a pool thread took the interrupt of one call into the next");
        }
    }

    /** The flag is what it was when the call began: its own canceller has not seen it yet. */
    void untouched() {
        round.require(
                Thread.currentThread().isInterrupted() == foreign, "found its interrupt flag changed where nobody may");
    }

    void run(RaceGate gate) {
        for (int steps = random.nextInt(4); steps > 0; steps--) {
            step();
            notLost(gate);
        }
    }

    private void step() {
        round.phase = RaceRound.WORKING;
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> spin();
            case 4, 5, 6, 7 -> guard();
            case 8, 9 -> shield();
            case 10 -> nest();
            case 11, 12 -> park();
            default -> {
                if (first) {
                    own();
                }
            }
        }
    }

    private void own() {
        switch (random.nextInt(8)) {
            case 0 -> detach();
            case 1 -> {
                if (round.call.cancel(CancelReason.MANUAL)) {
                    round.wonByWorker = true;
                }
            }
            default -> addResource();
        }
    }

    private void spin() {
        spin(random);
    }

    /** Yields now and then, so that the others come in between even where there is one processor for all. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void spin(SplittableRandom random) {
        if (random.nextInt(32) == 0) {
            Thread.yield();
        }
        for (int i = random.nextInt(40); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    private void guard() {
        round.phase = RaceRound.ENTERING_GUARD;
        spin();
        CallScope.enterGuard();
        round.phase = RaceRound.GUARDED;
        insideGuard();
        if (random.nextBoolean()) {
            CallScope.enterGuard();
            spin();
            round.require(!CallScope.leaveGuard(), "was told inside the outer guard");
        }
        round.phase = RaceRound.LEAVING_GUARD;
        insideGuard();
        told |= CallScope.leaveGuard();
        round.phase = RaceRound.WORKING;
    }

    private void insideGuard() {
        untouched(); // a guard clears our interrupt on the way in, and none arrives until the way out
        spin();
        untouched();
    }

    private void shield() {
        try {
            round.phase = RaceRound.GUARDED;
            round.call.shield(() -> {
                insideGuard();
                if (random.nextInt(4) == 0) {
                    throw new IllegalStateException("the section's own");
                }
                return "";
            });
        } catch (CallCancelledException e) {
            told = true;
        } catch (IllegalStateException e) {
            round.require("the section's own".equals(e.getMessage()), "threw " + e);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        round.phase = RaceRound.WORKING;
    }

    /** Works for another call in between: neither the flag nor the thread is this call's meanwhile. */
    private void nest() {
        round.phase = RaceRound.NESTED;
        bystander.attach();
        round.require(CallScope.current() == bystander, "did not make way for the call in between");
        untouched();
        spin();
        untouched();
        bystander.leave();
        round.require(CallScope.current() == round.call, "did not come back after the call in between");
        round.phase = RaceRound.WORKING;
    }

    /** Nothing but an interrupt ends this wait. */
    private void park() {
        if (round.detached || told || !holds()) {
            return; // the cancel has lost, or come, or comes too late: no interrupt is due
        }
        round.phase = RaceRound.PARKED;
        try {
            if (random.nextBoolean()) {
                Thread.sleep(RaceGate.PATIENCE.toMillis());
            } else {
                new CountDownLatch(1).await(RaceGate.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            }
            round.require(false, "slept through its cancel");
        } catch (InterruptedException e) {
            told = true;
            if (foreign) {
                foreign = false; // answered now; whether ours came, too, is not to be known
            } else {
                answered();
            }
        }
        round.phase = RaceRound.WORKING;
    }

    /** What work does with an InterruptedException: cleans up behind guards, and often sets the flag again. */
    private void answered() {
        if (random.nextBoolean()) {
            guard();
        }
        if (random.nextBoolean()) {
            Thread.currentThread().interrupt();
        }
        if (random.nextBoolean()) {
            guard();
        }
    }

    /** False for a task that found its call over, and that nobody interrupts. */
    private static boolean holds() {
        Worker worker = Worker.CURRENT.get();
        return worker != null && worker.holds;
    }

    private void addResource() {
        if (!round.added) {
            round.call.add(round);
            round.added = true;
        }
    }

    private void detach() {
        if (mayDetach) {
            try {
                round.call.detach();
                round.detached = true;
            } catch (CallCancelledException e) {
                told = true;
            }
        }
    }

    /** A cancel that has returned has reached this thread, unless the thread stands in a guard. */
    private void notLost(RaceGate gate) {
        if (!told && gate.isDone(round) && round.won && holds()) {
            round.require(Thread.currentThread().isInterrupted(), "lost its cancel");
        }
    }

    /** The end on this thread; the response may be ended by another. */
    void leave() {
        round.phase = RaceRound.LEAVING;
        spin();
        round.call.leave();
        round.phase = RaceRound.LEFT;
        round.require(Worker.CURRENT.get() == null, "is still current on its pool thread");
        round.require(
                Thread.interrupted() == foreign, foreign ? "lost a foreign interrupt" : "left its interrupt behind");
    }
}
