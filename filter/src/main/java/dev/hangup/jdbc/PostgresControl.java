package dev.hangup.jdbc;

import dev.hangup.call.Log;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One connection beside the pool, on which the server itself is told to cancel the statements of its processes: many at once in
 * one statement, and each only if the process is still the same and runs something else than BEGIN or COMMIT. It has a thread
 * of its own; it is opened when it is needed and closed after some seconds without work.
 *
 * <p>Its answers prove themselves: a process is found only by its number and the instant of its start, on a server that was
 * started at the same instant and has the same address. Where it finds none (another host of the URL, another server behind the
 * same name) nothing was sent.
 */
final class PostgresControl {
    private static final Duration IDLE = Duration.ofSeconds(5);
    /** After a failure the protocol's own cancel is used for so long. */
    private static final Duration REST = Duration.ofSeconds(1);
    /** How long an answer may take. Shorter than what makes a cancel doubtful. */
    private static final Duration TIMEOUT = Duration.ofMillis(800);

    private static final String NOT_A_BEGINNING = "a.query !~* '^\\s*(BEGIN|START|COMMIT)'";

    private final DirectConnections source;
    private final Queue<ControlRequest> requests = new ConcurrentLinkedQueue<>();
    private final IdleThreads thread;
    private volatile long restUntil = System.nanoTime();

    // These two belong to the thread.
    private @Nullable Connection connection;
    private PostgresProcess.@Nullable Server server;

    PostgresControl(DirectConnections source) {
        this.source = source;
        this.thread = new IdleThreads("hangup-control", 1, IDLE, this::close);
    }

    void letGo() {
        thread.letGo();
    }

    /** Waits for the answer, less than a second. On a thread of the lane. */
    ControlRequest.Answer cancel(PostgresProcess process) throws SQLException {
        if (System.nanoTime() - restUntil < 0) {
            return ControlRequest.Answer.UNKNOWN;
        }
        ControlRequest request = new ControlRequest(process);
        requests.add(request);
        thread.execute(this::serve);
        try {
            return request.await(TIMEOUT);
        } finally {
            if (request.isLate()) {
                rest();
            }
        }
    }

    /** Takes all that wait now; those whose requests were taken by an earlier turn find nothing. */
    private void serve() {
        List<ControlRequest> batch = new ArrayList<>();
        try {
            Connection open = open();
            for (ControlRequest next = requests.poll(); next != null; next = requests.poll()) {
                if (next.take()) {
                    batch.add(next);
                }
            }
            List<ControlRequest> here = batch.stream()
                    .filter(request -> request.process.server().equals(server))
                    .toList();
            if (!here.isEmpty()) {
                ask(open, here);
            }
            batch.forEach(request -> request.answer(ControlRequest.Answer.UNKNOWN)); // those without one yet
        } catch (SQLException | RuntimeException e) {
            Log.log(Level.DEBUG, "the control connection failed", e);
            rest();
            close();
            batch.forEach(request -> request.fail(e));
            for (ControlRequest next = requests.poll(); next != null; next = requests.poll()) {
                if (next.take()) {
                    next.answer(ControlRequest.Answer.UNKNOWN);
                }
            }
        }
    }

    private static void ask(Connection open, List<ControlRequest> requests) throws SQLException {
        // Numbers only. What the process runs is null where we may not see it, and "disabled" where nobody may.
        String processes = requests.stream()
                .map(request -> "(" + request.process.pid() + ", " + request.process.startedAt() + "::bigint)")
                .distinct()
                .collect(Collectors.joining(", "));
        String sql = "select a.pid, case when a.state is null or a.state = 'disabled' then null"
                + " when a.state = 'active' and " + NOT_A_BEGINNING + " then pg_cancel_backend(a.pid) else false end"
                + " from (values " + processes + ") as t (pid, started_at) join pg_stat_activity a on a.pid = t.pid"
                + " and " + PostgresProcess.STARTED_AT + " = t.started_at";
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                int pid = rows.getInt(1);
                boolean sent = rows.getBoolean(2);
                ControlRequest.Answer answer = rows.wasNull()
                        ? ControlRequest.Answer.UNKNOWN
                        : sent ? ControlRequest.Answer.SENT : ControlRequest.Answer.NOTHING_RUNS;
                requests.stream()
                        .filter(request -> request.process.pid() == pid)
                        .forEach(request -> request.answer(answer));
            }
        }
    }

    private Connection open() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = source.open();
            connection = open;
            open.setNetworkTimeout(Runnable::run, (int) TIMEOUT.toMillis());
            open.setAutoCommit(true);
            server = PostgresProcess.Server.of(open);
        }
        return open;
    }

    private void rest() {
        restUntil = System.nanoTime() + REST.toNanos();
    }

    private void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                Log.log(Level.DEBUG, "the control connection did not close", e);
            }
        }
    }
}
