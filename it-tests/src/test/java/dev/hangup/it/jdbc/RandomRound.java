package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.jdbc.CallCancelledSQLException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One worker's calls: up to three transactions or a single statement, of reads, writes, batches and fetches. */
final class RandomRound {
    private static final int ROWS = 30; // three transactions of three batches of three rows, and some more

    private final Engine engine;
    private final DataSource source;
    private final Connection database;
    private final Calls calls;
    private final Random random;
    private final Executor callers;

    /** The rows of each transaction, in order; and whether its commit returned. */
    private final List<Set<Integer>> written = new ArrayList<>();

    private int commits;

    RandomRound(Engine engine, DataSource source, Connection database, Calls calls, Random random, Executor callers) {
        this.engine = engine;
        this.source = source;
        this.database = database;
        this.calls = calls;
        this.random = random;
        this.callers = callers;
    }

    /** How its last transaction ended; null if it had none. */
    @Nullable
    TransactionOutcome run(int id, String where) {
        calls.transactions.clear();
        written.clear();
        commits = 0;
        boolean alone = random.nextInt(5) == 0;
        long delay = random.nextInt(12_000_000);
        boolean leaves = random.nextInt(8) != 0;
        CallScope call = calls.begin();
        CompletableFuture<Void> caller = CompletableFuture.runAsync(
                () -> {
                    LockSupport.parkNanos(delay);
                    if (leaves) {
                        call.cancel(CancelReason.CALLER_CLOSED);
                    }
                },
                callers);
        try {
            if (alone) {
                alone(id);
            } else {
                transactions(id);
            }
        } catch (CallCancelledSQLException e) {
            assertThat(call.isCancelled()).as(where).isTrue();
        } catch (SQLException e) {
            throw new AssertionError(where + ": the worker saw something else", e);
        } finally {
            Calls.end(call);
            caller.join();
        }
        return compare(alone, rows(id), where);
    }

    private void alone(int id) throws SQLException {
        written.add(Set.of(id * ROWS));
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("insert into raced values (" + id * ROWS + ")");
        }
    }

    private void transactions(int id) throws SQLException {
        int row = id * ROWS;
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                for (int left = 1 + random.nextInt(3); left > 0; left--) {
                    Set<Integer> rows = new TreeSet<>();
                    written.add(rows);
                    for (int steps = 1 + random.nextInt(3); steps > 0; steps--) {
                        row = step(connection, row, rows);
                    }
                    if (random.nextInt(6) == 0) {
                        connection.rollback();
                    } else {
                        connection.commit();
                        commits++;
                    }
                }
            } finally {
                if (random.nextBoolean()) {
                    connection.setAutoCommit(true); // as Spring does, whatever happened
                }
            }
        }
    }

    private int step(Connection connection, int row, Set<Integer> rows) throws SQLException {
        switch (random.nextInt(4)) {
            case 0 -> {
                try (Statement statement = connection.createStatement()) {
                    statement.executeQuery(engine.work(random.nextInt(5))).next();
                }
                return row;
            }
            case 1 -> {
                try (Statement statement = connection.createStatement()) {
                    statement.setFetchSize(3);
                    ResultSet result = statement.executeQuery(engine.rows(random.nextInt(5)));
                    for (int i = 0; i < 10 && result.next(); i++) {
                        result.getInt(1);
                    }
                }
                return row;
            }
            default -> {
                try (PreparedStatement insert = connection.prepareStatement("insert into raced values (?)")) {
                    int next = row;
                    for (int more = random.nextInt(3); more >= 0; more--) {
                        insert.setInt(1, next);
                        insert.addBatch();
                        rows.add(next++);
                    }
                    insert.executeBatch();
                    return next;
                }
            }
        }
    }

    private Set<Integer> rows(int id) {
        Set<Integer> rows = new TreeSet<>();
        try (Statement statement = database.createStatement();
                ResultSet result = statement.executeQuery(
                        "select id from raced where id >= " + id * ROWS + " and id < " + (id + 1) * ROWS)) {
            while (result.next()) {
                rows.add(result.getInt(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private @Nullable TransactionOutcome compare(boolean alone, Set<Integer> rows, String where) {
        List<TransactionOutcome> outcomes = List.copyOf(calls.transactions);
        assertThat(outcomes.size()).as("%s: %s", where, outcomes).isLessThanOrEqualTo(written.size());
        Set<Integer> expected = new TreeSet<>();
        int kept = 0;
        for (int i = 0; i < outcomes.size(); i++) {
            TransactionOutcome outcome = outcomes.get(i);
            if (outcome == TransactionOutcome.COMMITTED || outcome == TransactionOutcome.TOO_LATE) {
                kept++;
                expected.addAll(written.get(i));
            }
        }
        TransactionOutcome last = outcomes.isEmpty() ? null : outcomes.get(outcomes.size() - 1);
        if (!alone) {
            assertThat(kept)
                    .as("%s: commits that returned, of %s", where, outcomes)
                    .isEqualTo(commits);
        }
        if (!alone || last != TransactionOutcome.EVICTED) { // of a statement that commits by itself nobody knows then
            assertThat(rows).as("%s: %s of %s", where, outcomes, written).isEqualTo(expected);
        }
        return last;
    }
}
