package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.it.Postgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Work that writes a row and then takes a minute, half of it in the database and half asleep by itself, and commits whatever happens. */
final class Transactions implements WorkOfEachWay.Job {
    static final String TABLE = "ways";
    static final String MARKER = "/* ways */";

    private final DataSource source;
    private final AtomicInteger begun = new AtomicInteger();
    private final Set<String> working = ConcurrentHashMap.newKeySet();
    private final Set<String> stopped = ConcurrentHashMap.newKeySet();
    private final Set<String> committed = ConcurrentHashMap.newKeySet();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final AtomicLong last = new AtomicLong();
    private volatile String lastCall = "none";

    Transactions(DataSource source) {
        this.source = source;
        Postgres.shared().execute("drop table if exists " + TABLE).execute("create table " + TABLE + " (id text)");
    }

    @Override
    public void run(String call) throws Exception {
        boolean asleep = begun.getAndIncrement() % 2 == 0;
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("insert into " + TABLE + " values ('" + call + "')");
                working.add(call);
                if (asleep) {
                    Thread.sleep(60_000);
                } else {
                    statement.execute("select pg_sleep(60) " + MARKER);
                }
            } finally {
                commit(connection, call);
            }
        } finally {
            last.set(System.nanoTime());
            lastCall = call;
            stopped.add(call);
        }
    }

    private void commit(Connection connection, String call) {
        try {
            connection.commit();
            committed.add(call);
        } catch (SQLException refused) {
            assertThat(refused.getSQLState()).as("a commit after the cancel").isEqualTo("HY008");
        }
    }

    @Override
    public void disconnected(String call) {
        told.add(call);
    }

    Collection<String> working() {
        return working;
    }

    Collection<String> stopped() {
        return stopped;
    }

    Collection<String> committed() {
        return committed;
    }

    Collection<String> told() {
        return told;
    }

    /** Which of them stopped last. */
    String lastCall() {
        return lastCall;
    }

    /** When the last of them stopped, by {@link System#nanoTime()}. */
    long last() {
        return last.get();
    }
}
