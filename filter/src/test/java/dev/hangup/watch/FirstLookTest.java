package dev.hangup.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Treatment;
import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch.UnwatchableException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that asks whether its caller is still there is told "yes" by whatever fails: the watcher says what, and nobody is turned away. */
final class FirstLookTest implements CallRuntime, CallListener {
    private static final Treatment CANCELS =
            new Treatment(true, true, true, true, Duration.ofMinutes(5), Duration.ofMinutes(5));

    private CallScope call;

    private interface Opening {
        CallerWatch watch() throws UnwatchableException;
    }

    @BeforeEach
    void begin() {
        call = CallScope.begin(this, "GET", "GET /", CANCELS, Duration.ofMinutes(1), true, "request");
    }

    @AfterEach
    void end() {
        call.responseOver();
        call.leave();
    }

    @Test
    void wayThatCannotBeWatchedSaysNothing() {
        assertSilent(() -> {
            throw new UnwatchableException(Unwatched.NO_SOCKET, "none");
        });
    }

    @Test
    void wayThatFailsSaysNothing() {
        assertSilent(() -> {
            throw new ClassCastException("Facade");
        });
        assertSilent(() -> {
            throw new NoSuchMethodError("getHook");
        });
    }

    @Test
    void lookThatFailsSaysNothingEvenOfOneWhoHasLeft() throws Exception {
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            accepted.configureBlocking(false);
            client.close();
            assertSilent(() -> watch(accepted, new NoSuchMethodError("read")));
            try (FirstLook look = look(() -> watch(accepted, null))) {
                assertThat(look.at(call)).isEqualTo(CancelReason.CALLER_CLOSED);
                assertThat(look.end(call)).isEqualTo(CancelReason.CALLER_CLOSED);
            }
        }
    }

    /** And another one is asked of the same call. */
    private void assertSilent(Opening opening) {
        try (FirstLook look = look(opening)) {
            assertThat(look.at(call)).isNull();
            assertThat(look.at(call)).isNull();
            assertThat(call.isResponseOver()).isFalse();
        }
    }

    private static FirstLook look(Opening opening) {
        return new FirstLook(List.of(new Opened(opening)), name -> true);
    }

    private record Opened(Opening opening) implements CallerWatch.Source {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public CallerWatch open(Object request) throws UnwatchableException {
            return opening.watch();
        }
    }

    private static CallerWatch watch(SocketChannel channel, @Nullable Error failure) {
        return new CallerWatch() {
            @Override
            public SocketChannel channel() {
                return channel;
            }

            @Override
            public Verdict look() {
                if (failure != null) {
                    throw failure;
                }
                return Verdict.GONE;
            }
        };
    }

    @Override
    public Executor canceller() {
        return Runnable::run;
    }

    @Override
    public void at(long nanoTime, Runnable task) {}

    @Override
    public void began(CallScope begun) {}

    @Override
    public CallListener listener() {
        return this;
    }
}
