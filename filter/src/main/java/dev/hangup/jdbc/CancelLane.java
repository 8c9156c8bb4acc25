package dev.hangup.jdbc;

import dev.hangup.call.Log;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The threads on which one wrapped pool's connections are pursued: few, because a cancel may cost the database a connection, and
 * not the engine's cancellers, because a driver may hang. Nothing is dropped and nobody blocks: what finds no thread waits in the
 * queue, one entry per connection.
 */
final class CancelLane implements Executor {
    /** With a control connection that makes eight connections beside the pool. */
    static final int WIDTH = 7;

    private static final Duration IDLE = Duration.ofSeconds(1);

    private final IdleThreads threads = new IdleThreads("hangup-sql", WIDTH, IDLE, () -> {});

    @Override
    public void execute(Runnable task) {
        threads.execute(() -> run(task));
    }

    /** Runs the task on a thread of its own: it frees what may be what holds the lane, and may itself hang in a driver. */
    void apart(Runnable task) {
        threads.apart(() -> run(task));
    }

    void letGo() {
        threads.letGo();
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            Log.log(Level.WARNING, "a cancel of SQL failed unexpectedly", e);
        }
    }
}
