package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Treatment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One line per outcome that an operator may want to know of, from a thread of ours. */
final class CallLogTest extends Handler implements CallRuntime {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Treatment CANCELS = new Treatment(true, false, true, true, NEVER, NEVER);
    private static final Treatment OBSERVES = new Treatment(false, false, true, true, NEVER, NEVER);
    private static final List<StackTraceElement> WHERE =
            List.of(new StackTraceElement("Driver", "read", "Driver.java", 7));

    private final Logger logger = Logger.getLogger("dev.hangup");
    private final @Nullable Level before = logger.getLevel();
    private final CallLog log = new CallLog();
    private final ExecutorService canceller =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "the canceller"));
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();

    @BeforeEach
    void listen() {
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.FINE);
    }

    @AfterEach
    void stopListening() {
        logger.setLevel(before);
        logger.setUseParentHandlers(true);
        logger.removeHandler(this);
        canceller.shutdownNow();
        Thread.interrupted();
    }

    @Test
    @DisplayName("case 37: somebody's interrupt on the worker does not meet the log")
    void theLineOfAnEndComesFromOurOwnThread() {
        CallScope call = begin(CANCELS);
        call.callerGone(CancelReason.CALLER_CLOSED);
        Thread.currentThread().interrupt();
        end(call);

        await().untilAsserted(() -> assertThat(lines)
                .singleElement()
                .asString()
                .matches("FINE GET /a cancelled CALLER_CLOSED after [0-9.]+ s, unowned for [0-9.]+ s"));
        assertThat(threads).containsExactly("the canceller");
        assertThat(Thread.currentThread().isInterrupted())
                .as("it is somebody's still")
                .isTrue();
    }

    @Test
    void whatHasNoReasonHasNoGapInItsLine() {
        CallScope call = begin(OBSERVES);
        call.callerGone(CancelReason.CALLER_CLOSED);
        end(call);
        end(begin(CANCELS));

        await().untilAsserted(() -> assertThat(lines)
                .singleElement()
                .asString()
                .matches("FINE GET /a would_cancel after [0-9.]+ s, unowned for [0-9.]+ s"));
    }

    @Test
    void stuckWorkIsAWarningAndShieldedWorkIsNone() {
        CallScope call = begin(CANCELS);
        call.cancel(CancelReason.ENDPOINT_DEADLINE);
        log.shielded(call, WHERE);
        log.stuck(call, WHERE);
        logger.setLevel(Level.INFO);
        end(call);

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .startsWith("INFO GET /a was cancelled (ENDPOINT_DEADLINE) and is shielded from that since ")
                .endsWith("    at Driver.read(Driver.java:7)");
        assertThat(lines.get(1))
                .startsWith("WARNING GET /a was cancelled (ENDPOINT_DEADLINE) but still works after ")
                .endsWith("    at Driver.read(Driver.java:7)");
    }

    private CallScope begin(Treatment treatment) {
        return CallScope.begin(this, "GET", "GET /a", treatment, Duration.ofMinutes(1), false, null);
    }

    private static void end(CallScope call) {
        call.leave();
        call.responseOver();
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getLevel() + " " + line.getMessage());
        threads.add(Thread.currentThread().getName());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public Executor canceller() {
        return canceller;
    }

    @Override
    public void at(long nanoTime, Runnable task) {}

    @Override
    public CallListener listener() {
        return log;
    }

    @Override
    public void began(CallScope call) {}
}
