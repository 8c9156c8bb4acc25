package dev.hangup.watch;

import dev.hangup.watch.KernelTable.State;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks the kernel's table whether departures that a watch has seen have taken place: some of them, and while their cancel goes
 * on. A watch that was contradicted once is not believed any more: we would rather stop cancelling than cancel wrongly. On the
 * watcher thread.
 */
final class Witness {
    private static final System.Logger LOG = System.getLogger("dev.hangup");
    private static final int MOST = 4;
    private static final Duration SPAN = Duration.ofSeconds(1);

    private final @Nullable Scans scans;
    private final Predicate<SocketChannel> reset;
    private final Consumer<String> contradicted;
    private final Set<String> disbelieved = ConcurrentHashMap.newKeySet();
    private long spanBegan = System.nanoTime();
    private int asked;

    /**
     * @param reset whether a channel was reset
     * @param contradicted told the name of the watch, each time
     */
    Witness(@Nullable Scans scans, Predicate<SocketChannel> reset, Consumer<String> contradicted) {
        this.reset = reset;
        this.scans = scans;
        this.contradicted = contradicted;
    }

    /** Any thread. */
    boolean believes(String watch) {
        return !disbelieved.contains(watch);
    }

    /** A watch has just found this connection's caller gone. Inside the peer lock. */
    void check(String watch, CallerWatch found) {
        NetworkChannel socket = found.socket();
        if (scans != null && socket != null && hasTime()) {
            Route route = found.route();
            if (route != null) {
                scans.ask(new Doubt(watch, route, new WeakReference<>(socket)));
            }
        }
    }

    private boolean hasTime() {
        long now = System.nanoTime();
        if (now - spanBegan >= SPAN.toNanos()) {
            spanBegan = now;
            asked = 0;
        }
        return asked++ < MOST;
    }

    private void contradict(String watch, Route route) {
        if (disbelieved.add(watch)) {
            LOG.log(
                    Level.ERROR,
                    "the watch \"{0}\" saw a caller leave whose connection stands, as the kernel says ({1}): "
                            + "departures that it sees are counted, but cancel nothing from now on",
                    watch,
                    route);
        }
        contradicted.accept(watch);
    }

    /**
     * The call may be over when the answer comes, so the channel is held weakly, and asked for nothing but whether it is open.
     * It must be: if it was closed, the same addresses may be another connection's by now. If it was not, the row was its own.
     */
    private final class Doubt implements Scans.Question {
        private final String watch;
        private final Route route;
        private final WeakReference<NetworkChannel> socket;

        Doubt(String watch, Route route, WeakReference<NetworkChannel> socket) {
            this.watch = watch;
            this.route = route;
            this.socket = socket;
        }

        @Override
        public Route route() {
            return route;
        }

        @Override
        public void answered(@Nullable State state) {
            NetworkChannel still = socket.get();
            if (state == State.ESTABLISHED && still != null && still.isOpen() && !isReset(still)) {
                contradict(watch, route);
            }
        }

        /** After a reset the addresses are free, and may be the same caller's next connection while ours is still open. */
        private boolean isReset(NetworkChannel still) {
            return still instanceof SocketChannel channel && reset.test(channel);
        }
    }
}
