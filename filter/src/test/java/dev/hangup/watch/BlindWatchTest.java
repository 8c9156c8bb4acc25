package dev.hangup.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CallerState;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Treatment;
import dev.hangup.call.Unwatched;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A way into a container that fails when it is gone: the caller is unwatched from then on, said once, and the deadline holds. */
final class BlindWatchTest {
    private static final Treatment CANCELS =
            new Treatment(true, true, true, true, Duration.ofMinutes(5), Duration.ofMinutes(5));

    private final List<Unwatched> unwatched = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void aLookThatFailsIsTheLast() throws Exception {
        Error moved = new NoSuchMethodError("Wrapper.read(ByteBuffer)");
        assertDegrades("java.lang.NoSuchMethodError: Wrapper.read(ByteBuffer)", channel -> {
            looks.incrementAndGet();
            throw moved;
        });
        assertThat(looks).hasValue(1);
    }

    @Test
    void aSourceThatFailsIsAskedOnce() throws Exception {
        assertDegrades("java.lang.ClassCastException: Facade", null);
    }

    /** As Tomcat recycles a request whose connection failed, and may tell no listener. */
    @Test
    void aRequestThatTheContainerHasTakenBackIsOver() throws Exception {
        CallerWatch.Source recycled = new CallerWatch.Source() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public @Nullable CallerWatch open(Object request) {
                throw new IllegalStateException("recycled");
            }

            @Override
            public boolean isOver(Object request) {
                return true;
            }
        };
        try (Warnings warnings = new Warnings();
                Watcher watcher = new Watcher(List.of(recycled), () -> Duration.ofMillis(5))) {
            watcher.start();
            CallScope call = CallScope.begin(
                    new TestRuntime(watcher), "GET", "GET /", CANCELS, Duration.ofMinutes(5), true, "request");
            call.leave(); // asynchronous: the response would say when it is over
            await().until(call::isEnded);
            assertThat(call.isCancelled()).isFalse();
            assertThat(unwatched).isEmpty();
            assertThat(warnings.lines).isEmpty();
        }
    }

    private interface Look {
        CallerWatch.Verdict at(SocketChannel channel);
    }

    private void assertDegrades(String message, @Nullable Look look) throws Exception {
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept();
                Warnings warnings = new Warnings();
                Watcher watcher = new Watcher(List.of(source(accepted, look)), () -> Duration.ofMillis(5))) {
            accepted.configureBlocking(false);
            client.write(ByteBuffer.wrap(new byte[1])); // readable from now on
            watcher.start();
            for (int i = 0; i < 2; i++) {
                CallScope call = CallScope.begin(
                        new TestRuntime(watcher), "GET", "GET /", CANCELS, Duration.ofMillis(400), true, "request");
                try {
                    await().until(call::isCancelled);
                    assertThat(call.cancelReason()).hasValue(CancelReason.ENDPOINT_DEADLINE);
                    assertThat(call.caller()).isEqualTo(CallerState.UNKNOWN);
                } finally {
                    call.responseOver();
                    call.leave();
                }
                if (look != null) {
                    break;
                }
            }
            assertThat(unwatched).containsOnly(Unwatched.INTERNALS_CHANGED).hasSize(look == null ? 2 : 1);
            assertThat(warnings.lines).singleElement().asString().contains(message);
        }
    }

    private static CallerWatch.Source source(SocketChannel channel, @Nullable Look look) {
        return new CallerWatch.Source() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public CallerWatch open(Object request) {
                if (look == null) {
                    throw new ClassCastException("Facade");
                }
                return new CallerWatch() {
                    @Override
                    public SocketChannel channel() {
                        return channel;
                    }

                    @Override
                    public Verdict look() {
                        return look.at(channel);
                    }
                };
            }
        };
    }

    private final class TestRuntime implements CallRuntime, CallListener {
        private final Watcher watcher;

        TestRuntime(Watcher watcher) {
            this.watcher = watcher;
        }

        @Override
        public Executor canceller() {
            return task -> new Thread(task, "canceller").start();
        }

        @Override
        public void at(long nanoTime, Runnable task) {
            watcher.at(nanoTime, task);
        }

        @Override
        public CallListener listener() {
            return this;
        }

        @Override
        public void began(CallScope call) {
            watcher.arrive(call);
        }

        @Override
        public void unwatched(CallScope call, Unwatched cause) {
            unwatched.add(cause);
        }
    }

    /** What is logged meanwhile, which then does not reach the console. */
    private static final class Warnings extends Handler implements AutoCloseable {
        private final Logger logger = Logger.getLogger("dev.hangup");
        private final List<String> lines = new CopyOnWriteArrayList<>();

        Warnings() {
            logger.addHandler(this);
            logger.setUseParentHandlers(false);
        }

        @Override
        public void publish(LogRecord entry) {
            lines.add(new java.util.logging.SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.setUseParentHandlers(true);
            logger.removeHandler(this);
        }
    }
}
