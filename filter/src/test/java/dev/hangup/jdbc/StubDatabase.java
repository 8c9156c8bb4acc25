package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A database and its driver in memory, as unkind as PostgreSQL: a cancel hits whatever statement runs on the connection when it
 * arrives, and nothing if none does. Statements: {@code INSERT n} adds a row to the transaction, {@code SELECT n} works n
 * microseconds, {@code SELECT block} works until it is cancelled, released or aborted.
 */
final class StubDatabase {
    /** Committed rows. */
    final Set<Integer> rows = ConcurrentHashMap.newKeySet();

    final AtomicInteger statements = new AtomicInteger();
    final AtomicInteger cancels = new AtomicInteger();
    /** Workers that stood in a statement or a commit with their interrupt flag set. */
    final AtomicInteger interrupted = new AtomicInteger();

    /** What happens on the way of a cancel to the server. */
    volatile Runnable cancelling = () -> {};
    /** What happens at the start of a commit, with the row. */
    volatile IntConsumer committing = row -> {};
    /** How many cancels get lost on their way. */
    final AtomicInteger lost = new AtomicInteger();
    /** What a cancelled statement ends with. */
    volatile String cancelState = "57014";

    /** A physical connection and its session on the server. */
    final class Session {
        private static final int NONE = -1;

        final AtomicReference<@Nullable Run> current = new AtomicReference<>();
        volatile boolean closed;
        private volatile boolean autoCommit = true;
        private volatile int pending = NONE;

        boolean isClean() {
            return pending == NONE && current.get() == null;
        }

        void reset() {
            pending = NONE;
            autoCommit = true;
        }

        void cancel() {
            cancels.incrementAndGet();
            cancelling.run();
            Run run = current.get();
            if (run != null && lost.getAndDecrement() <= 0) {
                run.cancelled = true;
                LockSupport.unpark(run.worker);
            }
        }

        void close() {
            closed = true;
            Run run = current.get();
            if (run != null) {
                LockSupport.unpark(run.worker);
            }
        }

        void commit() throws SQLException {
            check();
            int row = pending;
            committing.accept(row);
            noteInterrupt();
            if (row != NONE) {
                rows.add(row);
            }
            pending = NONE;
        }

        void rollback() throws SQLException {
            check();
            pending = NONE;
        }

        boolean autoCommit() throws SQLException {
            check();
            return autoCommit;
        }

        void setAutoCommit(boolean on) throws SQLException {
            check();
            if (on && !autoCommit) {
                commit();
            }
            autoCommit = on;
        }

        void execute(String sql) throws SQLException {
            check();
            statements.incrementAndGet();
            String[] words = sql.split(" ", 2);
            Run run = new Run();
            current.set(run);
            try {
                if (sql.endsWith("block")) {
                    await(run, Long.MAX_VALUE);
                } else if (words[0].equals("SELECT")) {
                    await(run, Long.parseLong(words[1]) * 1_000);
                }
                if (run.cancelled) {
                    throw new SQLException("canceling statement due to user request", cancelState);
                }
                check();
            } finally {
                current.set(null);
                noteInterrupt();
            }
            if (words[0].equals("INSERT")) {
                pending = Integer.parseInt(words[1]);
            }
            if (words[0].equalsIgnoreCase("COMMIT") || autoCommit) {
                commit();
            }
        }

        void release() {
            Run run = current.get();
            if (run != null) {
                run.released = true;
                LockSupport.unpark(run.worker);
            }
        }

        private void await(Run run, long nanos) {
            long start = System.nanoTime();
            while (!run.cancelled && !run.released && !closed && System.nanoTime() - start < nanos) {
                if (nanos == Long.MAX_VALUE) {
                    LockSupport.parkNanos(1_000_000);
                } else {
                    Thread.onSpinWait();
                }
            }
        }

        private void noteInterrupt() {
            if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
            }
        }

        private void check() throws SQLException {
            if (closed) {
                throw new SQLException("connection closed", "08003");
            }
        }

        /** A fresh handle, as a pool hands it out; its close gives the session back. */
        Connection handle(Runnable giveBack) {
            return StubHandles.connection(this, giveBack);
        }
    }

    /** A statement that runs on the server. */
    static final class Run {
        final Thread worker = Thread.currentThread();
        volatile boolean cancelled;
        volatile boolean released;
    }
}
