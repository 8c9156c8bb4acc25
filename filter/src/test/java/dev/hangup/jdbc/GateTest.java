package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Each arrow of the gate's drawing, and those that are not there. */
final class GateTest {
    private volatile boolean aborted;

    private final Gate gate = new Gate() {
        @Override
        boolean isAborted() {
            return aborted;
        }
    };

    @Test
    void letsAWorkerInAndOut() {
        assertThat(gate.enter()).isTrue();
        assertThat(gate.takeAway()).as("idle").isFalse();
        gate.exit();
        assertThat(gate.enter()).isTrue();
    }

    @Test
    void letsACancelBeFiredAtARunningStatementOnly() {
        assertThat(gate.pin()).as("FREE").isFalse();
        assertThat(gate.enter()).isTrue();
        assertThat(gate.pin()).as("BUSY").isFalse();
        gate.publish();
        assertThat(gate.isRunning()).isTrue();
        assertThat(gate.takeAway()).as("RUNNING").isFalse();
        assertThat(gate.pin()).isTrue();
        assertThat(gate.isFiring()).isTrue();
        assertThat(gate.pin()).as("twice").isFalse();
        gate.unpin();
        assertThat(gate.isRunning()).isTrue();
        gate.withdraw();
        assertThat(gate.pin()).as("withdrawn").isFalse();
        gate.exit();
        assertThat(gate.takeAway()).isTrue();
    }

    @Test
    void holdsTheWorkerWhileACancelIsFired() {
        assertThat(gate.enter()).isTrue();
        gate.publish();
        assertThat(gate.pin()).isTrue();
        Thread worker = new Thread(gate::withdraw);
        worker.start();
        await().until(() -> worker.getState() == Thread.State.TIMED_WAITING);
        assertThat(gate.isFiring()).isTrue();
        gate.unpin();
        await().until(() -> !worker.isAlive());
        assertThat(gate.isRunning() || gate.isFiring()).isFalse();
    }

    @Test
    void letsTheWorkerOfAnAbortedConnectionGoAtOnceAndNobodyIn() {
        assertThat(gate.enter()).isTrue();
        gate.publish();
        assertThat(gate.pin()).isTrue();
        aborted = true;
        gate.withdraw();
        gate.unpin();
        assertThat(gate.isRunning()).as("the canceller comes too late").isFalse();
        gate.exit();
        assertThat(gate.isGone()).isTrue();
        assertThat(gate.enter()).isFalse();
    }

    @Test
    void isGoneAfterItsEnd() {
        assertThat(gate.enter()).isTrue();
        gate.over();
        gate.exit();
        assertThat(gate.isGone()).isTrue();
        assertThat(gate.enter()).isFalse();
        assertThat(gate.takeAway()).isFalse();
        assertThat(gate.pin()).isFalse();
    }

    @Test
    void keepsAWorkerWaitingDuringAReclaim() {
        assertThat(gate.takeAway()).isTrue();
        assertThat(gate.takeAway()).as("twice").isFalse();
        CompletableFuture<Boolean> entered = CompletableFuture.supplyAsync(gate::enter);
        assertThat(entered).isNotDone();
        gate.over();
        assertThat(entered.join()).isFalse();
    }
}
