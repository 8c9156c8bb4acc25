package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.hangup.call.Call;
import dev.hangup.call.CallResource;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.TransactionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Commits and rollbacks of a call, before, during and after its cancel. */
final class CommitTest extends BorrowFixture {
    @Test
    void commitsAsIfNothingWereThere() throws SQLException {
        try (Connection connection = inTransaction(1)) {
            connection.commit();
        }
        assertThat(database.rows).containsExactly(1);
        assertThat(pool.idle()).isEqualTo(1);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.COMMITTED);
    }

    @Test
    void vetoesTheCommitOfACancelledCall() throws SQLException {
        Connection connection = inTransaction(1);
        cancelWithBusyCancellers();
        assertThatThrownBy(connection::commit)
                .isInstanceOf(SQLNonTransientException.class)
                .isInstanceOfSatisfying(CallCancelledSQLException.class, e -> {
                    assertThat(e.getSQLState()).isEqualTo("HY008");
                    assertThat(e.reason()).isEqualTo(CancelReason.CALLER_CLOSED);
                    assertThat(e.getMessage()).startsWith("GET /stub cancelled: CALLER_CLOSED after ");
                });
        // As frameworks go on from here: Spring's older manager switches autocommit on, which is a commit.
        connection.setAutoCommit(true);
        connection.rollback();
        assertThat(connection.isClosed()).isTrue();
        assertThat(connection.isValid(1)).isFalse();
        connection.close();
        assertThat(database.rows).isEmpty();
        assertThat(pool.idle()).isEqualTo(1);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
    }

    @Test
    void vetoesTheCommitOfWhoHasSeenTheCancelBeforeItsConnectionHas() throws SQLException {
        List<Throwable> thrown = new ArrayList<>();
        Connection[] connection = new Connection[1];
        // The first to be told of a cancel: the connection comes after it.
        call.add(new CallResource() {
            @Override
            public void refuse() {
                assertThat(Call.current().isCancelled()).isTrue();
                thrown.add(catchThrowable(() -> connection[0].commit()));
            }

            @Override
            public void cancel() {}

            @Override
            public void abort() {}
        });
        connection[0] = inTransaction(1);
        cancelWithBusyCancellers();
        assertThat(thrown).hasSize(1).hasOnlyElementsOfType(CallCancelledSQLException.class);
        connection[0].close();
        assertThat(database.rows).isEmpty();
        assertThat(engine.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
    }

    @Test
    void vetoesAutoCommitAsACommit() throws SQLException {
        Connection connection = inTransaction(1);
        cancelWithBusyCancellers();
        assertThatThrownBy(() -> connection.setAutoCommit(true)).isInstanceOf(CallCancelledSQLException.class);
        connection.setAutoCommit(true);
        connection.close();
        assertThat(database.rows).isEmpty();
        assertThat(engine.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
    }

    @Test
    void vetoesACommitInWords() throws SQLException {
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        cancelWithBusyCancellers();
        assertThatThrownBy(() -> statement.execute(" commit ")).isInstanceOf(CallCancelledSQLException.class);
        assertThat(database.rows).isEmpty();
        assertThat(engine.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
    }

    @Test
    void doesNotHideThatAReclaimedTransactionWasNotCommitted() throws SQLException {
        Connection connection = inTransaction(1);
        cancel();
        eventually(() -> pool.idle() == 1);
        assertThatThrownBy(() -> connection.setAutoCommit(true)).isInstanceOf(CallCancelledSQLException.class);
        assertThatThrownBy(connection::commit).isInstanceOf(CallCancelledSQLException.class);
        connection.rollback();
        connection.setAutoCommit(true);
        connection.close();
    }

    @Test
    void switchesAutoCommitQuietlyAfterARollback() throws SQLException {
        Connection connection = inTransaction(1);
        cancelWithBusyCancellers();
        connection.rollback();
        connection.setAutoCommit(true);
        connection.close();
        assertThat(pool.idle()).isEqualTo(1);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
    }

    @Test
    @DisplayName("case 47: a commit under way is left alone, and told as too late")
    void leavesACommitAlone() throws SQLException {
        Connection connection = inTransaction(1);
        database.committing = row -> {
            cancel();
            spend(Duration.ofMillis(60)); // the pursuit looks meanwhile
        };
        connection.commit();
        assertThat(Thread.currentThread().isInterrupted())
                .as("raised after the commit")
                .isTrue();
        assertThat(database.rows).containsExactly(1);
        assertThat(database.cancels).hasValue(0);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.TOO_LATE);
        assertThatThrownBy(connection::createStatement).isInstanceOf(CallCancelledSQLException.class);
        connection.close();
        finish();
        assertThat(engine.outcome).isEqualTo(Outcome.TOO_LATE);
        assertThat(pool.evicted).hasValue(0);
    }

    @Test
    void countsStatementsThatCommitByThemselves() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT 1");
            statement.executeQuery("SELECT 0");
            assertThat(engine.transactions).containsExactly(TransactionOutcome.COMMITTED);
            cancelWhenRunning();
            assertThatThrownBy(() -> statement.executeUpdate("INSERT block"))
                    .isInstanceOf(CallCancelledSQLException.class);
        }
        assertThat(engine.transactions).containsExactly(TransactionOutcome.COMMITTED, TransactionOutcome.ROLLED_BACK);
        assertThat(database.rows).containsExactly(1);
    }
}
