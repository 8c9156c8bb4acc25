package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.TransactionOutcome;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whose a connection is: the worker's, the canceller's, another call's or nobody's. */
final class OwnershipTest extends BorrowFixture {
    @Test
    void reclaimsAnIdleConnectionFromABusyWorker() throws SQLException {
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT 0");
        cancel();
        eventually(() -> pool.idle() == 1);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
        assertThatThrownBy(rows::next).isInstanceOf(CallCancelledSQLException.class);
        assertThatThrownBy(() -> rows.getString(1)).isInstanceOf(CallCancelledSQLException.class);
        assertThatThrownBy(() -> statement.execute("SELECT 0")).isInstanceOf(CallCancelledSQLException.class);
        assertThatThrownBy(connection::createStatement).isInstanceOf(CallCancelledSQLException.class);
        rows.close();
        statement.close();
        connection.close();
        assertThat(database.rows).isEmpty();
        assertThat(pool.idle()).isEqualTo(1);
        assertThat(pool.evicted).hasValue(0);
    }

    @Test
    void evictsWhatWasUnwrappedOrLeftSomethingInItsSession() throws SQLException {
        Connection connection = inTransaction(1);
        assertThat(connection.unwrap(Proxy.class)).isNotNull();
        cancel();
        eventually(() -> pool.evicted.get() == 1);
        connection.close();
        assertThat(engine.transactions).containsExactly(TransactionOutcome.EVICTED);
    }

    @Test
    void leavesAConnectionAloneThatOutlivesItsCall() throws SQLException {
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        finish();
        call.cancel(CancelReason.SHUTDOWN);
        statement.executeUpdate("INSERT 1");
        connection.close();
        assertThat(database.rows).containsExactly(1);
        assertThat(engine.transactions).isEmpty();
        assertThat(pool.idle()).isEqualTo(1);
    }

    /** A thread that is not attached to the call goes on with its connection when the call has ended. */
    @Test
    void cancelsNothingAfterTheEndOfItsCall() throws Exception {
        database.lost.set(Integer.MAX_VALUE);
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        CompletableFuture<Boolean> stray = CompletableFuture.supplyAsync(() -> {
            try {
                return statement.execute("SELECT block");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        await().until(() -> pool.session().current.get() != null);
        cancel();
        eventually(() -> database.cancels.get() > 1);
        finish();
        int cancels = database.cancels.get();
        spend(Duration.ofMillis(200));
        assertThat(database.cancels).hasValue(cancels);
        pool.session().release();
        assertThatThrownBy(() -> stray.get(5, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(CallCancelledSQLException.class);
        connection.close();
        assertThat(pool.evicted).hasValue(1);
    }

    @Test
    void takesBackWhatACancelledCallLeavesOpen() throws SQLException {
        Connection connection = inTransaction(1);
        Thread.currentThread().interrupt(); // somebody else's
        database.committing = row -> {};
        cancelWithBusyCancellers();
        finish();
        eventually(() -> pool.idle() == 1);
        assertThat(Thread.interrupted()).as("a foreign interrupt stays").isTrue();
        assertThat(connection.isClosed()).isTrue();
        assertThat(database.rows).isEmpty();
    }

    @Test
    void neverCancelsForAnotherCall() throws Exception {
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        CallScope other = engine.begin();
        cancelWhenRunning();
        new Thread(() -> {
                    await().until(call::isCancelled);
                    spend(Duration.ofMillis(60));
                    pool.session().release();
                })
                .start();
        statement.executeUpdate("SELECT block");
        TestEngine.end(other);
        assertThat(database.cancels).hasValue(0);
        connection.close();
        assertThat(pool.idle()).isEqualTo(1);
    }

    @Test
    @DisplayName("case 42: a cancel while waiting for a connection ends the wait and leaks nothing")
    void freesWhoWaitsForAConnection() throws Exception {
        Connection taken = pool.getConnection();
        new Thread(() -> {
                    spend(Duration.ofMillis(30));
                    cancel();
                })
                .start();
        long start = System.nanoTime();
        assertThatThrownBy(source::getConnection).isInstanceOf(CallCancelledSQLException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        taken.close();
        assertThat(pool.idle()).isEqualTo(1);
    }
}
