package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Somebody else on the same pool, who is never cancelled and must never notice that others are. */
final class Innocent implements AutoCloseable {
    private final List<String> hits = new CopyOnWriteArrayList<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private final Thread thread;
    private volatile boolean stopped;

    Innocent(Rig rig, Engine engine) {
        thread = new Thread(() -> {
            while (!stopped) {
                try (Connection connection = rig.hikari.getConnection();
                        Statement statement = connection.createStatement()) {
                    assertThat(connection.getAutoCommit()).isTrue();
                    statement.executeQuery(engine.work(1)).next();
                    rounds.incrementAndGet();
                } catch (SQLException | AssertionError e) {
                    hits.add(e.toString());
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    void assertNeverHit() {
        assertThat(hits).isEmpty();
        assertThat(rounds).hasPositiveValue();
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        thread.join();
    }
}
