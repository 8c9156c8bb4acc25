package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Clients of the same database that have nothing to do with our calls. */
final class Strangers implements AutoCloseable {
    private final List<String> hits = new CopyOnWriteArrayList<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    Strangers(int number, DataSource database) {
        for (int i = 0; i < number; i++) {
            Thread thread = new Thread(() -> work(database));
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private void work(DataSource database) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            while (!stopped) {
                statement.executeQuery("select pg_sleep(0.003) /* stranger */").next();
                rounds.incrementAndGet();
            }
        } catch (SQLException e) {
            hits.add(e.toString());
        }
    }

    /** Stops them. */
    void assertNeverHit() throws InterruptedException {
        close();
        assertThat(hits).isEmpty();
        assertThat(rounds).hasPositiveValue();
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
