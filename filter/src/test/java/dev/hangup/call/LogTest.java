package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("case 37: nothing is logged on an interrupted thread")
final class LogTest extends Handler {
    private final TestRuntime runtime = new TestRuntime();
    private final Logger logger = Logger.getLogger("dev.hangup");
    private final List<Boolean> interrupted = new ArrayList<>();
    /** What happens while the line is written. */
    private Runnable meanwhile = () -> {};

    LogTest() {
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void closeAll() {
        logger.setUseParentHandlers(true);
        logger.removeHandler(this);
        Thread.interrupted();
        runtime.close();
    }

    @Test
    void somebodysInterruptIsThereAgainAfterwards() {
        Thread.currentThread().interrupt();
        Log.log(Level.WARNING, "a line", null);

        assertThat(interrupted).containsExactly(false);
        assertThat(Thread.interrupted()).isTrue();
        Log.log(Level.WARNING, "another", null);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aCancelInterruptsOnlyAfterwards() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        meanwhile = () -> {
            call.cancel();
            TestRuntime.awaitCancelled(call);
        };
        Log.log(Level.WARNING, "a line", null);

        assertThat(interrupted).containsExactly(false);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        TestRuntime.end(call);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Override
    public void publish(LogRecord line) {
        meanwhile.run();
        interrupted.add(Thread.currentThread().isInterrupted());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
