package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.TransactionOutcome;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One borrow and one cancel, in every order that has a rule of its own. */
final class BorrowTest {
    private final StubDatabase database = new StubDatabase();
    private final StubPool pool = new StubPool(database, 1);
    private final CallerAwareDataSource source = pool.wrapped();
    private final TestEngine engine = new TestEngine();
    private final CallScope call = engine.begin();
    private boolean ended;

    @AfterEach
    void end() {
        if (!ended) {
            finish();
        }
        engine.close();
        assertThat(pool.dirty).hasValue(0);
        assertThat(database.interrupted).as("interrupts inside the driver").hasValue(0);
        assertThat(Thread.interrupted()).isFalse();
    }

    private void finish() {
        ended = true;
        TestEngine.end(call);
    }

    private Connection inTransaction(int row) throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT " + row)) {
            insert.executeUpdate();
        }
        return connection;
    }

    /** Cancels, but so that the worker is inside the driver and nothing is reclaimed before it is out again. */
    private void cancel() {
        call.cancel(CancelReason.CALLER_CLOSED);
    }

    /** From a canceller that is kept busy: whatever happens now is the worker's own doing. */
    private void cancelWithBusyCancellers() {
        for (int i = 0; i < 2; i++) {
            engine.canceller().execute(() -> await().until(() -> ended || pool.idle() == 1));
        }
        cancel();
    }

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
        await().until(() -> pool.idle() == 1);
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
    void reclaimsAnIdleConnectionFromABusyWorker() throws SQLException {
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT 0");
        cancel();
        await().until(() -> pool.idle() == 1);
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
    @DisplayName("case 45: a cancel before the statement exists counts")
    void sendsNothingAfterACancel() throws SQLException {
        Connection connection = source.getConnection();
        Statement made = connection.createStatement();
        cancelWithBusyCancellers();
        assertThatThrownBy(() -> connection.prepareStatement("SELECT 0")).isInstanceOf(CallCancelledSQLException.class);
        assertThatThrownBy(() -> made.execute("SELECT 0")).isInstanceOf(CallCancelledSQLException.class);
        assertThat(database.statements).hasValue(0);
        connection.close();
        assertThatThrownBy(source::getConnection).isInstanceOf(CallCancelledSQLException.class);
        assertThat(pool.evicted).hasValue(0);
        assertThat(engine.transactions).isEmpty();
    }

    @Test
    void cancelsARunningStatementOnceAndKeepsTheConnection() throws SQLException {
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        cancelWhenRunning();
        assertThatThrownBy(() -> statement.executeQuery("SELECT block"))
                .isInstanceOf(CallCancelledSQLException.class)
                .hasRootCauseMessage("canceling statement due to user request");
        connection.close();
        assertThat(database.cancels).hasValue(1);
        assertThat(pool.evicted).hasValue(0);
        assertThat(pool.idle()).isEqualTo(1);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
    }

    private void cancelWhenRunning() {
        new Thread(() -> {
                    await().until(() -> pool.session().current.get() != null);
                    cancel();
                })
                .start();
    }

    @Test
    void evictsWhenTheStatementEndedOtherwise() throws SQLException {
        database.cancelState = "42601";
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        cancelWhenRunning();
        assertThatThrownBy(() -> statement.executeQuery("SELECT block")).isInstanceOf(CallCancelledSQLException.class);
        connection.close();
        assertThat(pool.evicted).hasValue(1);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.EVICTED);
    }

    @Test
    void holdsTheWorkerWhileACancelIsOnItsWay() throws Exception {
        CountDownLatch underWay = new CountDownLatch(1);
        CountDownLatch arrive = new CountDownLatch(1);
        database.cancelling = () -> {
            underWay.countDown();
            awaitQuietly(arrive);
        };
        Thread releaser = new Thread(() -> {
            awaitQuietly(underWay);
            pool.session().release(); // the statement ends by itself, with the cancel still on its way
            await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            assertThat(pool.idle()).isZero();
            arrive.countDown();
        });
        releaser.start();
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        cancelWhenRunning();
        assertThatThrownBy(() -> statement.executeQuery("SELECT block")).isInstanceOf(CallCancelledSQLException.class);
        assertThat(arrive.getCount()).as("the worker was held").isZero();
        connection.close();
        releaser.join();
        assertThat(pool.evicted).as("nobody saw what the cancel hit").hasValue(1);
    }

    @Test
    void evictsWhenTheDriverCannotCancel() throws SQLException {
        database.cancelling = () -> {
            pool.session().release();
            throw new IllegalStateException("not today");
        };
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        cancelWhenRunning();
        assertThatThrownBy(() -> statement.executeQuery("SELECT block")).isInstanceOf(CallCancelledSQLException.class);
        connection.close();
        assertThat(pool.evicted).hasValue(1);
    }

    @Test
    @DisplayName("case 47: a commit under way is left alone, and told as too late")
    void leavesACommitAlone() throws SQLException {
        Connection connection = inTransaction(1);
        database.committing = row -> {
            cancel();
            await().pollDelay(Duration.ofMillis(60)).until(() -> true); // the pursuit looks meanwhile
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

    @Test
    void evictsWhatWasUnwrappedOrLeftSomethingInItsSession() throws SQLException {
        Connection connection = inTransaction(1);
        assertThat(connection.unwrap(Proxy.class)).isNotNull();
        cancel();
        await().until(() -> pool.evicted.get() == 1);
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

    @Test
    void takesBackWhatACancelledCallLeavesOpen() throws SQLException {
        Connection connection = inTransaction(1);
        Thread.currentThread().interrupt(); // somebody else's
        database.committing = row -> {};
        cancelWithBusyCancellers();
        finish();
        await().until(() -> pool.idle() == 1);
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
                    await().pollDelay(Duration.ofMillis(60)).until(() -> true);
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
    void breaksWhatDoesNotEnd() throws Exception {
        try (TestEngine impatient = new TestEngine(Duration.ofMillis(150))) {
            database.cancelling = () -> {
                throw new IllegalStateException("a driver that cannot cancel");
            };
            CallScope stuck = impatient.begin();
            Connection connection = source.getConnection();
            Statement statement = connection.createStatement();
            new Thread(() -> {
                        await().until(() -> pool.session().current.get() != null);
                        stuck.cancel(CancelReason.ENDPOINT_DEADLINE);
                    })
                    .start();
            assertThatThrownBy(() -> statement.executeQuery("SELECT block"))
                    .isInstanceOf(CallCancelledSQLException.class);
            connection.close();
            TestEngine.end(stuck);
            assertThat(pool.evicted).hasValue(1);
            assertThat(impatient.transactions).containsExactly(TransactionOutcome.EVICTED);
        }
        assertThat(pool.idle()).isEqualTo(1);
    }

    @Test
    @DisplayName("case 42: a cancel while waiting for a connection ends the wait and leaks nothing")
    void freesWhoWaitsForAConnection() throws Exception {
        Connection taken = pool.getConnection();
        new Thread(() -> {
                    await().pollDelay(Duration.ofMillis(30)).until(() -> true);
                    cancel();
                })
                .start();
        long start = System.nanoTime();
        assertThatThrownBy(source::getConnection).isInstanceOf(CallCancelledSQLException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        taken.close();
        assertThat(pool.idle()).isEqualTo(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
