package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.ConnectionEvent;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.it.Postgres;
import java.io.OutputStream;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/** The README's table of what becomes of SQL that is under way when its caller leaves, line by line, on PostgreSQL. */
final class StatedBehaviourIT {
    private static final String ROW = "insert into stated values (1)";
    private static final String SLEEP = "insert into stated select 2 from pg_sleep(60) /* stated_sleep */";

    private static final Postgres postgres = Postgres.shared();

    @BeforeAll
    static void prepare() {
        postgres.execute("create table if not exists stated (id int)");
        postgres.execute("create or replace procedure stated_sleep() language plpgsql as $$ begin " + ROW
                + "; perform pg_sleep(60); end $$");
    }

    /** What is under way; true for what costs its connection. */
    enum Under {
        STATEMENT(false) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                statement.execute(ROW);
                statement.execute(SLEEP);
            }
        },
        STATEMENT_ALONE(false) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                connection.setAutoCommit(true);
                statement.execute(SLEEP);
            }
        },
        BATCH(false) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                statement.addBatch(ROW);
                statement.addBatch(SLEEP);
                statement.executeBatch();
            }
        },
        PREPARED_BATCH(false) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                try (PreparedStatement insert = connection.prepareStatement(
                        "insert into stated select 3 from pg_sleep(?) /* stated_sleep */")) {
                    insert.setDouble(1, 0);
                    insert.addBatch();
                    insert.setDouble(1, 60);
                    insert.addBatch();
                    insert.executeBatch();
                }
            }
        },
        SAVEPOINT(false) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                statement.execute(ROW);
                connection.setSavepoint("kept");
                statement.execute(SLEEP);
            }
        },
        FETCH(false) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                statement.execute(ROW);
                statement.setFetchSize(1);
                ResultSet rows = statement.executeQuery(
                        "select pg_sleep(i * 30) /* stated_sleep */ from generate_series(0, 2) i");
                while (rows.next()) {
                    assertThat(rows.getRow()).isLessThan(3);
                }
            }
        },
        PROCEDURE(true) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                try (CallableStatement call = connection.prepareCall("call stated_sleep()")) {
                    call.execute();
                }
            }
        },
        SEVERAL_IN_ONE_TEXT(true) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                statement.execute(ROW + "; " + SLEEP);
            }
        },
        SETTING(true) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                statement.execute("set work_mem = '5MB'");
                statement.execute(ROW);
                statement.execute(SLEEP);
            }
        },
        ARRAY(true) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                statement.execute(ROW);
                ResultSet row = statement.executeQuery("select array[1, 2]");
                row.next();
                assertThat(row.getArray(1)).isNotNull();
                statement.execute(SLEEP);
            }
        },
        LARGE_OBJECT(true) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                ResultSet row = statement.executeQuery("select lo_from_bytea(0, 'text')");
                row.next();
                assertThat(row.getBlob(1)).isNotNull();
                statement.execute(ROW);
                statement.execute(SLEEP);
            }
        },
        COPY(true) {
            @Override
            void way(Connection connection, Statement statement) throws Exception {
                statement.execute(ROW);
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyOut(
                                "copy (select pg_sleep(5) /* stated_sleep */) to stdout",
                                OutputStream.nullOutputStream());
            }
        };

        private final boolean costsTheConnection;

        Under(boolean costsTheConnection) {
            this.costsTheConnection = costsTheConnection;
        }

        abstract void way(Connection connection, Statement statement) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void isWhatHappens(Under under) throws Exception {
        boolean evicted = isEvicted(under);
        // On a machine that stands still for a while a cancel is in doubt, and the connection goes, too.
        for (int tries = 1; tries < 5 && evicted && !under.costsTheConnection; tries++) {
            evicted = isEvicted(under);
        }
        assertThat(evicted).isEqualTo(under.costsTheConnection);
    }

    private static boolean isEvicted(Under under) throws Exception {
        await().until(() -> postgres.runningQueries("stated_sleep") == 0); // a broken connection's statement runs on
        try (Rig rig = new Rig(1)) {
            Calls.Working<Boolean> call = rig.call(() -> {
                try (Connection connection = rig.source.getConnection();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    under.way(connection, statement);
                    connection.commit();
                }
                return true;
            });
            await().until(() -> postgres.runningQueries("stated_sleep") == 1);
            call.hangUp();
            assertThat(call.ended.get(60, TimeUnit.SECONDS)).isFalse();
            assertThat(call.result).isCompletedExceptionally();
            await().until(() -> rig.active() == 0);
            assertThat(postgres.rows("stated")).isZero();
            boolean evicted = rig.connections.contains(ConnectionEvent.EVICTED);
            assertThat(rig.transactions)
                    .containsExactly(evicted ? TransactionOutcome.EVICTED : TransactionOutcome.ROLLED_BACK);
            return evicted;
        }
    }
}
