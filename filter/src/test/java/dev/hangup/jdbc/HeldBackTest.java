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
import org.junit.jupiter.api.Test;

/** More connections in doubt than the pool can bear to lose. */
final class HeldBackTest extends BorrowFixture {
    @Test
    void cleansWhatItMayNotEvict() throws SQLException {
        pool.absorbs = true;
        inDoubt();
        assertThat(pool.evicted).hasValue(1);
        assertThat(pool.absorbed).hasValue(0);
        database.cancelling = this::spend;
        inDoubt();
        assertThat(pool.evicted).hasValue(1);
        assertThat(pool.absorbed).hasValue(1);
        assertThat(pool.idle()).isEqualTo(1);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.EVICTED, TransactionOutcome.ROLLED_BACK);
    }

    @Test
    void evictsWhatCannotBeCleaned() throws SQLException {
        database.cancelling = this::spend;
        inDoubt();
        assertThat(pool.absorbed).hasValue(1);
        assertThat(pool.evicted).hasValue(1);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.EVICTED);
    }

    @Test
    void evictsWhatADriverHasLost() throws SQLException {
        pool.absorbs = true;
        database.cancelling = () -> {
            spend();
            if (database.cancels.get() == 2) {
                pool.session().release();
            }
            throw new IllegalStateException("not today");
        };
        inDoubt();
        assertThat(pool.absorbed).hasValue(0);
        assertThat(pool.evicted).hasValue(1);
    }

    /** All that the pool can bear in this second. */
    @SuppressWarnings("StatementWithEmptyBody")
    private void spend() {
        while (source.pool().mayEvict()) {}
    }

    /** Two cancels, of which the first got lost, as far as anybody knows. */
    private void inDoubt() throws SQLException {
        database.lost.set(1);
        CallScope doubtful = engine.begin();
        try (Connection connection = inTransaction(1);
                Statement statement = connection.createStatement()) {
            new Thread(() -> {
                        await().until(() -> pool.session().current.get() != null);
                        doubtful.cancel(CancelReason.CALLER_CLOSED);
                    })
                    .start();
            assertThatThrownBy(() -> statement.execute("SELECT block")).isInstanceOf(CallCancelledSQLException.class);
        } finally {
            TestEngine.end(doubtful);
        }
    }
}
