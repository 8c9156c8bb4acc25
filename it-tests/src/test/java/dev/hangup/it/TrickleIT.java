package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;

/**
 * An upload that comes byte by byte, so that the watcher meets the reader at each of them: the channel is empty, and the bytes
 * that the reader took from it are not counted yet.
 */
final class TrickleIT {

    private static final int CALLERS = 20;
    private static final int BYTES = 250;
    private static final long SEED = 12;

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("POST /read", Entry.of(Mode.CANCEL))
            .build();

    private final Ledger ledger = new Ledger();

    private static void read(HttpServletRequest request, HttpServletResponse response) throws IOException {
        InputStream in = request.getInputStream();
        byte[] buffer = new byte[64];
        int length = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            length += n;
        }
        response.getOutputStream().print("read " + length);
    }

    private void trickle(Container container) throws Exception {
        Crowd.of(CALLERS, number -> {
            Random random = new Random(SEED + number);
            try (RawClient caller = RawClient.connect(container)) {
                caller.send(RawClient.head("POST", "/read", "Content-Length: " + BYTES) + "\r\n");
                for (int i = 0; i < BYTES; i++) {
                    caller.send(new byte[] {'x'});
                    Thread.sleep(3 + random.nextInt(3)); // as long as from one look to the next
                }
                assertThat(caller.response().body()).isEqualTo("read " + BYTES);
            }
        });
        await().untilAsserted(() -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(CALLERS));
        assertThat(ledger.departures()).as("%s", ledger).isZero();

        RawClient leaving = RawClient.connect(container);
        leaving.send(RawClient.head("POST", "/read", "Content-Length: " + BYTES) + "\r\nxxx");
        Thread.sleep(50);
        leaving.close();
        await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(CALLERS + 1));
        assertThat(ledger.departures()).as("%s", ledger).isEqualTo(1);
    }

    private Site site(Hangup hangup) {
        return new Site().filter(new HangupFilter(hangup)).servlet("/read", new LambdaServlet(TrickleIT::read));
    }

    @EachContainer
    void whoSendsByteByByteStays(ContainerKind kind) throws Exception {
        try (Silence silence = Silence.ofContainers();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site(hangup))) {
            trickle(container);
        }
    }

    /** A reader that the scheduler stops between its read and its count, as it may at any time. */
    @Test
    void whoSendsByteByByteToASlowReaderStays() throws Exception {
        try (Silence silence = Silence.ofContainers();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = new Stopped(site(hangup))) {
            trickle(container);
        }
    }

    /** Jetty, whose readers stop after every second read of a socket, so that they meet a look that follows one they have counted for. */
    private static final class Stopped implements Container {
        private static final Duration STOP = Duration.ofMillis(2);

        private final Server server = new Server();
        private final ServerConnector connector = new ServerConnector(server) {
            @Override
            protected SocketChannelEndPoint newEndPoint(
                    SocketChannel channel, ManagedSelector selector, SelectionKey key) {
                SocketChannelEndPoint point = new SocketChannelEndPoint(channel, selector, key, getScheduler()) {
                    private int reads;

                    @Override
                    public int fill(ByteBuffer buffer) throws IOException {
                        int filled = super.fill(buffer);
                        if (filled > 0 && ++reads % 2 == 0) {
                            LockSupport.parkNanos(STOP.toNanos());
                        }
                        return filled;
                    }
                };
                point.setIdleTimeout(getIdleTimeout());
                return point;
            }
        };

        Stopped(Site site) throws Exception {
            connector.setHost(site.address());
            server.addConnector(connector);
            server.setHandler(JettyLine.present().embedded(site));
            server.start();
        }

        @Override
        public String version() {
            return Server.getVersion();
        }

        @Override
        public int port() {
            return connector.getLocalPort();
        }

        @Override
        public int busyWorkers() {
            return server.getThreadPool().getThreads() - server.getThreadPool().getIdleThreads();
        }

        @Override
        public void close() {
            try {
                server.stop();
            } catch (Exception e) {
                throw new IllegalStateException("Jetty does not stop: " + e.getMessage(), e);
            }
        }
    }
}
