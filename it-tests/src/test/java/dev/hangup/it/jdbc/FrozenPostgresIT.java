package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.TransactionOutcome;
import dev.hangup.demo.Database;
import dev.hangup.jdbc.CallCancelledSQLException;
import dev.hangup.jdbc.JdbcOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL stops in the middle of a cancel, and goes on later. */
final class FrozenPostgresIT {
    private static final int CALLS = 10;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void holdsNobodyAndHitsNobodyWhenItThaws(boolean control) throws Exception {
        JdbcOptions options = control ? JdbcOptions.DEFAULT : JdbcOptions.DEFAULT.withoutControlConnection();
        try (Database database = Database.start(60);
                Rig rig = new Rig(database.dataSource(), CALLS, 4, Duration.ofMillis(1_500), options)) {
            List<Calls.Working<Boolean>> workers = new ArrayList<>();
            CountDownLatch running = new CountDownLatch(CALLS);
            for (int i = 0; i < CALLS; i++) {
                workers.add(rig.call(() -> sleep(rig, running)));
            }
            assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
            Processes processes = Processes.of(database);
            processes.signal("STOP");
            try {
                workers.forEach(Calls.Working::hangUp);
                goesOn(rig);
                for (Calls.Working<Boolean> worker : workers) {
                    assertThatThrownBy(() -> worker.result.get(10, TimeUnit.SECONDS))
                            .hasCauseInstanceOf(CallCancelledSQLException.class);
                }
                await().until(() -> rig.transactions.size() == CALLS);
                assertThat(rig.transactions).containsOnly(TransactionOutcome.EVICTED);
                goesOn(rig);
            } finally {
                processes.signal("CONT");
            }
            neverHit(rig);
        }
    }

    private static boolean sleep(Rig rig, CountDownLatch running) throws Exception {
        try (Connection connection = rig.source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select 1");
            running.countDown();
            return statement.execute("select pg_sleep(60)");
        }
    }

    /** The watcher's timers and the cancellers, for everybody else. */
    private static void goesOn(Rig rig) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(2);
        rig.at(System.nanoTime(), done::countDown);
        rig.canceller().execute(done::countDown);
        assertThat(done.await(3, TimeUnit.SECONDS)).isTrue();
    }

    private static void neverHit(Rig rig) throws Exception {
        for (int round = 0; round < 200; round++) {
            try (Connection connection = rig.hikari.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("select pg_sleep(0.005)");
            }
        }
    }

    /** The server's, all of them. */
    private record Processes(List<Long> pids) {
        static Processes of(Database database) throws Exception {
            PGSimpleDataSource source = (PGSimpleDataSource) database.dataSource();
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
                row.next();
                ProcessHandle postmaster = ProcessHandle.of(row.getLong(1))
                        .flatMap(ProcessHandle::parent)
                        .orElseThrow();
                return new Processes(Stream.concat(Stream.of(postmaster), postmaster.descendants())
                        .map(ProcessHandle::pid)
                        .toList());
            }
        }

        void signal(String name) throws Exception {
            List<String> command = new ArrayList<>(List.of("kill", "-" + name));
            pids.forEach(pid -> command.add(pid.toString()));
            new ProcessBuilder(command).start().waitFor(); // one of them may have ended meanwhile
        }
    }
}
