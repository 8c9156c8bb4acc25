package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.TransactionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** On most databases CREATE, TRUNCATE and the like commit what was done before. */
final class ImplicitCommitTest extends BorrowFixture {
    @Test
    void vetoesADefinitionAsACommit() throws SQLException {
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        cancelWithBusyCancellers();
        assertThatThrownBy(() -> statement.execute("CREATE 1")).isInstanceOf(CallCancelledSQLException.class);
        assertThat(database.rows).isEmpty();
        assertThat(engine.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
    }

    @Test
    void leavesADefinitionAloneThatIsUnderWay() throws SQLException {
        Connection connection = inTransaction(1);
        Statement statement = connection.createStatement();
        new Thread(() -> {
                    await().until(() -> pool.session().current.get() != null);
                    cancel();
                    spend(Duration.ofMillis(60)); // the pursuit looks meanwhile
                    pool.session().release();
                })
                .start();
        statement.execute("TRUNCATE block");
        assertThat(database.cancels).hasValue(0);
        assertThat(engine.transactions).containsExactly(TransactionOutcome.TOO_LATE);
        connection.close();
    }

    @Test
    void cancelsADefinitionInAutocommit() throws SQLException {
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        cancelWhenRunning();
        assertThatThrownBy(() -> statement.execute("ALTER block")).isInstanceOf(CallCancelledSQLException.class);
        connection.close();
        assertThat(database.cancels).hasValueGreaterThan(0);
        assertThat(pool.evicted).hasValue(1);
    }
}
