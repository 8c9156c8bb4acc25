package dev.hangup.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.watch.KernelTable.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which departures are checked, and which answers contradict one. */
final class WitnessTest {

    private final AtomicInteger asked = new AtomicInteger();
    private final Queue<String> contradicted = new ConcurrentLinkedQueue<>();
    private final List<SocketChannel> channels = new ArrayList<>();
    private volatile State answer = State.ESTABLISHED;
    private final Watcher watcher = new Watcher(List.of(), new WatchHost() {
        @Override
        public Duration grace() {
            return Duration.ZERO;
        }

        @Override
        public KernelTable kernel() {
            return routes -> {
                Map<Route, State> states = new HashMap<>();
                routes.forEach(route -> states.put(route, answer));
                asked.addAndGet(routes.size());
                return states;
            };
        }

        @Override
        public void contradicted(String watch) {
            contradicted.add(watch);
        }
    });

    @AfterEach
    void close() throws IOException {
        watcher.close();
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    @Test
    void checksAtMostFourASecond() throws IOException {
        List<CallerWatch> watches = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            watches.add(watch());
        }
        watcher.start();
        check(watches);
        await().during(Duration.ofMillis(600)).until(() -> asked.get() <= 4);
        assertThat(asked).hasValue(4);
        await().until(() -> {
            check(watches);
            return asked.get() > 4;
        });
        assertThat(asked).hasValueLessThanOrEqualTo(8);
    }

    @Test
    void connectionThatStandsContradicts() throws IOException {
        CallerWatch watch = watch();
        watcher.start();
        assertThat(watcher.believes("liar")).isTrue();
        check(List.of(watch));
        await().untilAsserted(() -> assertThat(contradicted).containsExactly("liar"));
        assertThat(watcher.believes("liar")).isFalse();
        assertThat(watcher.believes("another")).isTrue();
    }

    @Test
    void connectionThatIsClosedByNowDoesNot() throws IOException {
        CallerWatch watch = watch();
        watcher.start();
        watcher.command(() -> {
            watcher.witness().check("honest", watch);
            closeAll(); // after the question, before the answer
        });
        await().until(() -> asked.get() == 1);
        nothingIsContradicted();
    }

    @Test
    void connectionInAnyOtherStateDoesNot() throws IOException {
        watcher.start();
        int times = 0;
        for (State state : State.values()) {
            if (state != State.ESTABLISHED) {
                answer = state;
                check(List.of(watch()));
                int expected = ++times;
                await().until(() -> asked.get() == expected);
            }
        }
        nothingIsContradicted();
    }

    /** Its addresses are free then, and may be the same caller's next connection, while our descriptor is still open. */
    @Test
    void connectionThatWasResetDoesNot() throws IOException {
        CallerWatch watch = watch();
        SocketChannel caller = channels.get(channels.size() - 2);
        caller.setOption(StandardSocketOptions.SO_LINGER, 0);
        caller.close();
        watcher.start();
        check(List.of(watch));
        await().until(() -> asked.get() == 1);
        nothingIsContradicted();
    }

    private void nothingIsContradicted() {
        await().during(Duration.ofMillis(400)).until(contradicted::isEmpty);
        assertThat(watcher.believes("liar")).isTrue();
    }

    private void check(List<CallerWatch> watches) {
        watcher.command(() -> watches.forEach(watch -> watcher.witness().check("liar", watch)));
    }

    private void closeAll() {
        try {
            close(channels);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void close(List<SocketChannel> channels) throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    /** Of a connection that stands. */
    private CallerWatch watch() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channels.add(SocketChannel.open(listener.getLocalAddress()));
            SocketChannel ours = listener.accept();
            ours.configureBlocking(false); // as the containers have it
            channels.add(ours);
            return new CallerWatch() {
                @Override
                public SocketChannel channel() {
                    return ours;
                }

                @Override
                public Verdict look() {
                    return Verdict.GONE;
                }
            };
        }
    }
}
