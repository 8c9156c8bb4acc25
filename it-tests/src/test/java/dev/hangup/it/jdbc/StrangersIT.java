package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.TransactionOutcome;
import dev.hangup.demo.Database;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallCancelledSQLException;
import dev.hangup.jdbc.JdbcOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Where a process number means somebody else, or nobody: behind a pooler, and with two hosts in the URL. */
final class StrangersIT {
    private static final int ROUNDS = Integer.getInteger("hangup.strangers.rounds", 50);

    private final long seed = Long.getLong("hangup.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** PostgreSQL by URL, without a pool. */
    private static PGSimpleDataSource database(String url) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(url);
        return database;
    }

    private static int port(DataSource database) {
        return ((PGSimpleDataSource) database).getPortNumbers()[0];
    }

    private static Calls.Working<Boolean> sleep(Rig rig, String seconds) {
        return rig.call(() -> {
            try (Connection connection = rig.source.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("select pg_sleep(" + seconds + ") /* ours */");
                connection.commit();
                return true;
            }
        });
    }

    /** Ten clients share three connections and pass them on after each statement: a cancel that comes late would find another's there. */
    @Test
    void areNotHitBehindAPooler(@TempDir Path directory) throws Exception {
        Postgres postgres = Postgres.shared();
        try (Pooler pooler = Pooler.start(directory, port(postgres.dataSource()), 3);
                Rig rig = new Rig(database(pooler.url()), 2, 8, Duration.ofSeconds(20), JdbcOptions.DEFAULT);
                Strangers strangers = new Strangers(8, database(pooler.url()))) {
            for (int round = 0; round < 5; round++) {
                Calls.Working<Boolean> ours = sleep(rig, "60");
                await().until(() -> postgres.runningQueries("ours */") == 1);
                ours.hangUp();
                assertThatThrownBy(() -> ours.result.get(5, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(CallCancelledSQLException.class);
                await().until(() -> postgres.runningQueries("ours */") == 0);
                ours.ended.get();
            }
            race(rig);
            strangers.assertNeverHit();
            System.out.println("pgbouncer, " + ROUNDS + " rounds of seed " + seed + ": " + rig.transactions);
        }
    }

    /** Cancels about when the statement ends. */
    private void race(Rig rig) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Calls.Working<Boolean> ours = sleep(rig, "0.00" + random.nextInt(1, 9));
            LockSupport.parkNanos(random.nextInt(10_000_000));
            ours.hangUp();
            ours.ended.get(10, TimeUnit.SECONDS);
        }
        await().until(() -> rig.active() == 0);
        assertThat(rig.transactions).contains(TransactionOutcome.ROLLED_BACK);
    }

    /** The pool's connections go to either; the one beside the pool goes to one of them. */
    @Test
    void areNotHitOnTheOtherHost() throws Exception {
        int calls = 8;
        Postgres one = Postgres.shared();
        try (Database other = Database.start(60)) {
            String url = "jdbc:postgresql://127.0.0.1:" + port(one.dataSource()) + ",127.0.0.1:"
                    + port(other.dataSource()) + "/postgres?user=postgres&sslmode=disable&loadBalanceHosts=true";
            try (Strangers here = new Strangers(2, one.dataSource());
                    Strangers there = new Strangers(2, other.dataSource());
                    Rig rig = new Rig(database(url), calls, 8, Duration.ofSeconds(20), JdbcOptions.DEFAULT)) {
                List<Calls.Working<Boolean>> workers = new ArrayList<>();
                for (int i = 0; i < calls; i++) {
                    workers.add(sleep(rig, "60"));
                }
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> running(one.dataSource()) + running(other.dataSource()) == calls);
                System.out.println("two hosts: " + running(one.dataSource()) + " statements on one, "
                        + running(other.dataSource()) + " on the other");
                workers.forEach(Calls.Working::hangUp);
                for (Calls.Working<Boolean> worker : workers) {
                    assertThatThrownBy(() -> worker.result.get(5, TimeUnit.SECONDS))
                            .hasCauseInstanceOf(CallCancelledSQLException.class);
                }
                await().until(() -> running(one.dataSource()) + running(other.dataSource()) == 0);
                race(rig);
                here.assertNeverHit();
                there.assertNeverHit();
            }
        }
    }

    private static int running(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where state = 'active' and query like '%ours */%' and pid <> pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }
}
