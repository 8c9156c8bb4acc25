package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A response fails or ends before the watch looks again: what the container knows by then is asked for. */
final class SuspectedDepartureTest {
    private final TestRuntime runtime = new TestRuntime();
    private final Stream stream = new Stream();
    private CallScope call;

    @BeforeEach
    void begin() {
        call = runtime.begin(TestRuntime.NEVER_INTERRUPTS, Duration.ofSeconds(30), "the request");
    }

    @AfterEach
    void close() {
        if (CallScope.current() == call) {
            call.leave();
        }
        call.responseOver();
        runtime.close();
    }

    @Test
    void aLostCallerIsFoundWhenTheResponseFails() {
        call.suspectDeparture(true);
        call.connection(stream);
        call.suspectDeparture(true);
        assertThat(call.caller()).isEqualTo(CallerState.PRESENT);

        stream.lost = true;
        call.suspectDeparture(true);
        assertThat(call.cancelReason()).hasValue(CancelReason.STREAM_RESET);
    }

    @Test
    void aLostCallerOfFinishedWorkIsCountedAndCancelsNothing() {
        call.connection(stream);
        stream.lost = true;
        call.leave();
        call.suspectDeparture(false);
        call.responseOver();

        assertThat(call.isCancelled()).isFalse();
        assertThat(runtime.heard).contains("gone STREAM_RESET", "ended " + Outcome.COMPLETED_AFTER_GONE);
    }

    @Test
    void nobodyIsAskedOnceTheResponseIsOver() {
        call.connection(stream);
        stream.lost = true;
        call.responseOver();
        call.suspectDeparture(true);
        assertThat(call.caller()).isEqualTo(CallerState.PRESENT);
    }

    private static final class Stream implements Connection {
        boolean lost;

        @Override
        public boolean isLost() {
            return lost;
        }

        @Override
        public void abort() {}
    }
}
