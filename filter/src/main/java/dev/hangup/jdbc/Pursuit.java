package dev.hangup.jdbc;

import dev.hangup.call.CallRuntime;
import java.time.Duration;

/**
 * One cancelled borrow is pursued until it is over: reclaimed when nobody is inside it, fired at when a statement runs. A
 * statement that is about to end anyway is let alone for a moment. One cancel is not always enough, because the statement may
 * not have reached the server; so it comes again after 25 ms, and after twice as long each time, up to 400 ms. No thread waits
 * in between. Runs on the lane, never twice at once.
 */
final class Pursuit implements Runnable {
    private static final Duration FIRST_RETRY = Duration.ofMillis(25);
    private static final Duration LAST_RETRY = Duration.ofMillis(400);
    /** Nothing was fired, because the statement has ended or its transaction has not begun: look again soon. */
    private static final Duration FIRST_LOOK = Duration.ofMillis(1);

    private final Borrow borrow;
    private final CancelLane lane;
    private final CallRuntime runtime;
    private Duration patience;
    private Duration retry = FIRST_RETRY;
    private Duration look = FIRST_LOOK;

    Pursuit(Borrow borrow, CancelLane lane) {
        this.borrow = borrow;
        this.lane = lane;
        this.patience = borrow.canceller.patience();
        this.runtime = borrow.call.runtime();
    }

    @Override
    public void run() {
        if (borrow.reclaim() || borrow.isAborted() || borrow.isDisowned() || borrow.hasLeft()) {
            return;
        }
        if (!borrow.isRunning()) {
            again(nextRetry()); // a commit, a rollback or a close is under way
        } else if (!patience.isZero()) {
            Duration left = patience;
            patience = Duration.ZERO;
            again(left);
        } else {
            again(borrow.fire() ? nextRetry() : nextLook());
        }
    }

    private Duration nextRetry() {
        Duration now = retry;
        retry = shorter(now.multipliedBy(2), LAST_RETRY);
        return now;
    }

    private Duration nextLook() {
        Duration now = look;
        look = shorter(now.multipliedBy(2), FIRST_RETRY);
        return now;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private void again(Duration delay) {
        runtime.at(System.nanoTime() + delay.toNanos(), () -> lane.execute(this));
    }
}
