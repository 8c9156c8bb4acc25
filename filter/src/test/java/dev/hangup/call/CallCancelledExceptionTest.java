package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class CallCancelledExceptionTest {
    private final TestRuntime runtime = new TestRuntime();
    private final Locale locale = Locale.getDefault();

    @AfterEach
    void close() {
        Thread.interrupted();
        Locale.setDefault(locale);
        runtime.close();
    }

    @Test
    @DisplayName("case 31: the message holds method, route template, reason and elapsed time")
    void saysWhichRequestAndWhy() {
        Locale.setDefault(Locale.GERMANY);
        CallCancelledException e =
                new CallCancelledException(CancelReason.CALLER_CLOSED, "GET /reports/{id}", Duration.ofMillis(1_234));

        assertThat(e).hasMessage("GET /reports/{id} cancelled: CALLER_CLOSED after 1.234 s");
        assertThat(e.reason()).isEqualTo(CancelReason.CALLER_CLOSED);
        assertThat(e.endpoint()).isEqualTo("GET /reports/{id}");
        assertThat(e.elapsed()).isEqualTo(Duration.ofMillis(1_234));
    }

    @Test
    @DisplayName("case 31: a call without a route says its method")
    void namesTheMethodWhereNoRouteIsKnown() {
        CallScope call = CallScope.begin(
                runtime, "POST", CallScope.UNMATCHED, TestRuntime.CANCELS, Duration.ofSeconds(30), true, null);
        call.cancel();
        CallCancelledException e = catchThrowableOfType(CallCancelledException.class, call::throwIfCancelled);
        TestRuntime.end(call);

        assertThat(e.getMessage()).matches("POST UNMATCHED cancelled: MANUAL after \\d+\\.\\d{3} s");
        assertThat(e.elapsed()).isPositive();
    }

    @Test
    void isNoCancellationException() {
        assertThat(CancellationException.class.isAssignableFrom(CallCancelledException.class))
                .as("Jersey maps that to a bare 503")
                .isFalse();
    }

    @Test
    @DisplayName("case 43: every checkpoint throws the same type, so that a retry of eight fails eight times, cheaply")
    void aRetryLoopFailsAtEachCheckpoint() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.cancel();
        int failures = 0;
        int worked = 0;
        for (int attempt = 0; attempt < 8; attempt++) {
            try {
                switch (attempt % 4) {
                    case 0 -> call.throwIfCancelled();
                    case 1 -> call.shield(() -> "");
                    case 2 -> call.wrap(() -> "").call();
                    default -> call.detach();
                }
                worked++;
            } catch (CallCancelledException e) {
                failures++;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        TestRuntime.end(call);

        assertThat(failures).isEqualTo(8);
        assertThat(worked).isZero();
    }
}
