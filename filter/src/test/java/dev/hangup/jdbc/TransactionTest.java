package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Each arrow of the transaction's drawing, and those that are not there. */
final class TransactionTest {
    private volatile boolean callCancelled;

    private final Transaction transaction = new Transaction() {
        @Override
        boolean callIsCancelled() {
            return callCancelled;
        }
    };

    @Test
    void commitsAgainAndAgain() {
        for (int i = 0; i < 2; i++) {
            assertThat(transaction.startCommit()).isTrue();
            assertThat(transaction.startCommit()).as("within itself").isFalse();
            transaction.endCommit();
        }
        assertThat(transaction.isCancelled()).isFalse();
    }

    @Test
    void commitsNothingOnceItIsCancelled() {
        transaction.toCancelled();
        assertThat(transaction.isCancelled()).isTrue();
        assertThat(transaction.startCommit()).isFalse();
        assertThat(transaction.toDisowned()).as("CANCELLED is terminal").isFalse();
        transaction.leave();
        assertThat(transaction.isCancelled()).isTrue();
        assertThat(transaction.hasLeft()).isTrue();
    }

    @Test
    void leavesACommitAloneAndIsCancelledAfterIt() {
        assertThat(transaction.startCommit()).isTrue();
        callCancelled = true;
        transaction.toCancelled();
        assertThat(transaction.isCancelled()).as("COMMITTING").isFalse();
        transaction.endCommit();
        assertThat(transaction.isCancelled()).isTrue();
        assertThat(transaction.startCommit()).isFalse();
    }

    /** The call shows its cancel before this hears of it. */
    @Test
    void commitsNothingWhoseCallIsCancelled() {
        callCancelled = true;
        assertThat(transaction.startCommit()).isFalse();
        assertThat(transaction.isCancelled()).isTrue();
    }

    @Test
    void isNeverCancelledOnceItIsDisowned() {
        transaction.leave();
        assertThat(transaction.isDisowned()).isTrue();
        transaction.toCancelled();
        assertThat(transaction.isCancelled()).isFalse();
        assertThat(transaction.startCommit())
                .as("nobody's business, but no CAS of ours")
                .isFalse();
    }

    @Test
    void isDisownedAfterACommitDuringWhichTheCallEnded() {
        assertThat(transaction.startCommit()).isTrue();
        transaction.leave();
        assertThat(transaction.isDisowned()).isFalse();
        callCancelled = true;
        transaction.endCommit();
        assertThat(transaction.isDisowned()).isTrue();
        assertThat(transaction.isCancelled()).isFalse();
    }

    @Test
    void isReturnedOrAborted() {
        assertThat(transaction.toReturned()).isTrue();
        assertThat(transaction.toReturned()).isFalse();
        assertThat(transaction.toAborted()).isFalse();
        assertThat(transaction.isAborted()).isFalse();
    }

    @Test
    void isAbortedOrReturned() {
        assertThat(transaction.toAborted()).isTrue();
        assertThat(transaction.isAborted()).isTrue();
        assertThat(transaction.toReturned()).isFalse();
    }
}
