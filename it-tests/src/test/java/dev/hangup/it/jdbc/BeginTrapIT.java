package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.JdbcOptions;
import dev.hangup.jdbc.StatementCanceller;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * pgjdbc sends BEGIN and the first statement in one packet, and a cancel that hits BEGIN lets that statement commit by itself.
 * Here the packet waits at the socket for a cancel request, so that they would meet.
 */
final class BeginTrapIT {
    private static final int ROUNDS = Integer.getInteger("hangup.begin.rounds", 300);

    private final Random random = new Random(Long.getLong("hangup.seed", System.nanoTime()));
    private final Postgres postgres = Postgres.shared();
    private boolean metBegin;

    @BeforeEach
    void makeTable() {
        postgres.execute("drop table if exists begun");
        postgres.execute("create table begun (id int primary key)");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isNotSprung(boolean control) throws Exception {
        isNotSprung(control, ROUNDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("soak")
    void isNotSprungTwoThousandTimes(boolean control) throws Exception {
        isNotSprung(control, 2_000);
    }

    private void isNotSprung(boolean control, int rounds) throws Exception {
        try (Rig rig = rig(control ? JdbcOptions.DEFAULT : JdbcOptions.DEFAULT.withoutControlConnection())) {
            for (int round = 0; round < rounds; round++) {
                insert(rig, round);
            }
        }
        System.out.println(rounds + " cancels aimed at BEGIN: " + postgres.rows("begun") + " rows");
        assertThat(metBegin).as("a cancel left before BEGIN was acknowledged").isFalse();
        assertThat(postgres.rows("begun")).isZero();
    }

    /** Or what is tested here would not be there. */
    @Test
    void isSprungByWhoDoesNotLook() throws Exception {
        int round = 0;
        try (Rig rig = rig(JdbcOptions.DEFAULT.withCanceller(new Careless()))) {
            while (round < 3_000 && postgres.rows("begun") == 0) {
                for (int i = 0; i < 20; i++) {
                    insert(rig, round++);
                }
            }
        }
        System.out.println(round + " careless cancels at BEGIN: " + postgres.rows("begun") + " rows");
        assertThat(postgres.rows("begun")).isPositive();
    }

    private static Rig rig(JdbcOptions options) {
        return new Rig(1, 8, Duration.ofSeconds(10), options);
    }

    private void insert(Rig rig, int round) {
        CallScope call = rig.begin();
        try (Connection connection = rig.source.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("insert into begun values (?)")) {
                insert.setInt(1, round);
                ObservedSockets.beforeWrite.set(() -> cancelAndMeet(call));
                insert.executeUpdate();
            }
            connection.commit();
        } catch (SQLException e) {
            assertThat(call.isCancelled()).as(e.toString()).isTrue();
        } finally {
            ObservedSockets.beforeWrite.remove();
            Calls.end(call);
        }
    }

    private void cancelAndMeet(CallScope call) {
        AtomicBoolean sent = new AtomicBoolean();
        ObservedSockets.reset();
        ObservedSockets.beforeCancel = () -> {
            LockSupport.parkNanos(3_000_000); // by now a process of the server's waits for the request
            sent.set(true);
        };
        call.cancel(CancelReason.CALLER_CLOSED);
        long start = System.nanoTime();
        while (!sent.get() && System.nanoTime() - start < 10_000_000) {
            Thread.onSpinWait();
        }
        metBegin |= sent.get();
        spin(random.nextInt(800_000)); // about what the request takes from there
    }

    private static void spin(long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            Thread.onSpinWait();
        }
    }

    /** Fires at whatever runs. */
    private static final class Careless implements StatementCanceller {
        @Override
        public boolean cancel(Connection driver, @Nullable Statement running, boolean autoCommit) throws SQLException {
            driver.unwrap(PGConnection.class).cancelQuery();
            return true;
        }

        @Override
        public boolean isCancelError(SQLException error) {
            return error.getSQLState().equals("57014");
        }
    }
}
