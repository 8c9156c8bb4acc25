package dev.hangup.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the control connection is asked to cancel. Either the control takes it, or whoever waits takes it back: only in the
 * second case it is certain that nothing was sent.
 */
final class ControlRequest {
    enum Answer {
        /** The process has the signal. */
        SENT,
        /** Nothing was sent: it runs nothing, or BEGIN or COMMIT. */
        NOTHING_RUNS,
        /** Nothing was sent: the control does not see this process, or it is not there in time. */
        UNKNOWN
    }

    final PostgresProcess process;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final AtomicBoolean taken = new AtomicBoolean();
    /** Written by whoever waits. */
    private boolean late;

    ControlRequest(PostgresProcess process) {
        this.process = process;
    }

    boolean take() {
        return taken.compareAndSet(false, true);
    }

    void answer(Answer given) {
        answer.complete(given);
    }

    void fail(Exception cause) {
        answer.completeExceptionally(cause);
    }

    boolean isLate() {
        return late;
    }

    /** @throws SQLException if nobody knows whether a cancel was sent, or will be */
    Answer await(Duration timeout) throws SQLException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            late = true;
            if (take()) {
                return Answer.UNKNOWN;
            }
            throw new SQLException("no answer from the control connection within " + timeout, e);
        } catch (ExecutionException e) {
            throw new SQLException("the control connection failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException(e);
        }
    }
}
