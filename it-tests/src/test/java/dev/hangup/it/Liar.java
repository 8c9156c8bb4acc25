package dev.hangup.it;

import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch;
import dev.hangup.watch.jetty.JettySource;
import dev.hangup.watch.tomcat.TomcatSource;
import java.io.IOException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A watch that sees what the containers' own see, until it is told to lie about everybody who is there, or to fail. */
final class Liar implements CallerWatch.Source {

    private final List<CallerWatch.Source> honest = List.of(new TomcatSource(), new JettySource());
    private final Queue<Runnable> signals = new ConcurrentLinkedQueue<>();
    /** The connections that were watched. */
    final Queue<NetworkChannel> channels = new ConcurrentLinkedQueue<>();

    private volatile boolean lies;
    private volatile boolean fails;

    /** Everybody who is watched now has gone, it says from now on. */
    void lie() {
        lies = true;
        signals.forEach(Runnable::run);
    }

    /** Nothing is to be found any more where this watch looks. */
    void fail() {
        fails = true;
    }

    /** How many calls can be lied about, in all. */
    int watched() {
        return signals.size();
    }

    void beHonest() {
        lies = false;
    }

    @Override
    public String name() {
        return "liar";
    }

    @Override
    public @Nullable CallerWatch open(Object request) throws CallerWatch.UnwatchableException {
        for (CallerWatch.Source source : honest) {
            CallerWatch watch = source.open(request);
            if (watch != null) {
                NetworkChannel socket = watch.socket();
                if (socket != null) {
                    channels.add(socket);
                }
                return new Lie(watch);
            }
        }
        return null;
    }

    private final class Lie implements CallerWatch {
        private final CallerWatch truth;

        Lie(CallerWatch truth) {
            this.truth = truth;
        }

        /** None that is selected: of one that is, the watcher makes sure itself that it has ended. */
        @Override
        public @Nullable SocketChannel channel() {
            return null;
        }

        @Override
        public Duration pause() {
            return Duration.ofMillis(20);
        }

        @Override
        public @Nullable NetworkChannel socket() {
            return truth.socket();
        }

        @Override
        public @Nullable Unwatched unlisted() {
            return truth.unlisted();
        }

        @Override
        public Verdict look() {
            if (fails) {
                throw new IllegalStateException("Connection.getBytesIn has moved");
            }
            SocketChannel channel = truth.channel();
            if (lies || channel == null) {
                return lies ? Verdict.GONE : truth.look();
            }
            return isReadable(channel) ? truth.look() : Verdict.PRESENT;
        }

        private boolean isReadable(SocketChannel channel) {
            try (Selector selector = Selector.open()) {
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                selector.selectNow();
                return key.isReadable();
            } catch (IOException e) {
                return false; // closed by the container
            }
        }

        @Override
        public void begin(Runnable signal) {
            signals.add(signal);
        }
    }
}
