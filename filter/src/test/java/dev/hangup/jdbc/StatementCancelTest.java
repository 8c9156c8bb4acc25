package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.TransactionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A statement that runs when its call is cancelled. */
final class StatementCancelTest extends BorrowFixture {
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
        assertThat(pool.idle()).isEqualTo(1);
        // On a machine that does not let the worker go on for 25 ms a second cancel is fired, and the rule is the other
        // one.
        boolean once = database.cancels.get() == 1;
        assertThat(pool.evicted).hasValue(once ? 0 : 1);
        assertThat(engine.transactions)
                .containsExactly(once ? TransactionOutcome.ROLLED_BACK : TransactionOutcome.EVICTED);
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
            spend(Duration.ofMillis(50));
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
        finish();
        releaser.join();
        assertThat(pool.evicted).as("nobody saw what the cancel hit").hasValue(1);
    }

    @Test
    void cancelsAgainWhenACancelWasLost() throws SQLException {
        database.lost.set(2);
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        cancelWhenRunning();
        assertThatThrownBy(() -> statement.executeQuery("SELECT block")).isInstanceOf(CallCancelledSQLException.class);
        connection.close();
        assertThat(database.cancels).hasValue(3);
        assertThat(pool.evicted).as("which of the three it was, nobody knows").hasValue(1);
    }

    @Test
    @DisplayName("case 50: a driver that cannot cancel costs its connection, and one warning")
    void evictsWhenTheDriverCannotCancel() throws SQLException {
        database.cancelling = () -> {
            if (database.cancels.get() == 2) {
                pool.session().release();
            }
            throw new IllegalStateException("not today");
        };
        List<LogRecord> warnings = new CopyOnWriteArrayList<>();
        Handler listening = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                warnings.add(logged);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.hangup");
        logger.addHandler(listening);
        try {
            Connection connection = inTransaction(1);
            Statement statement = connection.createStatement();
            cancelWhenRunning();
            assertThatThrownBy(() -> statement.executeQuery("SELECT block"))
                    .isInstanceOf(CallCancelledSQLException.class);
            connection.close();
        } finally {
            logger.removeHandler(listening);
        }
        assertThat(pool.evicted).hasValue(1);
        assertThat(warnings).singleElement().satisfies(warning -> {
            assertThat(warning.getLevel()).isEqualTo(Level.WARNING);
            assertThat(warning.getMessage())
                    .isEqualTo(
                            "jdbc:stub: the driver failed to cancel a statement; the statement's connection is evicted");
            assertThat(warning.getThrown()).hasMessage("not today");
        });
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
        await().until(() -> pool.idle() == 1);
    }
}
