package dev.hangup.watch;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.watch.CallerWatch.UnwatchableException;
import dev.hangup.watch.CallerWatch.Verdict;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether a caller left while its request waited for a worker, asked by that worker itself before it begins: some 50 microseconds,
 * and no wait for the watcher, who may be looking at hundreds just then. Only for requests without a body, whose first look is
 * final. Safe for any thread.
 */
public final class FirstLook implements AutoCloseable {
    /** For the watcher to end a look of its own at the same call; it takes microseconds. */
    private static final long PATIENCE = Duration.ofMillis(2).toNanos();

    private final List<CallerWatch.Source> sources;
    private final Predicate<String> believed;
    /** Not more than have been in use at once. */
    private final Queue<ChannelProbe> probes = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    /** @param believed whether the watch of this name is */
    public FirstLook(List<CallerWatch.Source> sources, Predicate<String> believed) {
        this.sources = List.copyOf(sources);
        this.believed = believed;
    }

    /** Why the caller has left, or null if it has not been seen to have. On a worker, before its work. */
    public @Nullable CancelReason at(CallScope call) {
        CancelReason[] gone = new CancelReason[1];
        boolean halfCloseIsGone = call.treatment().halfCloseIsGone();
        tryLook(call, request -> gone[0] = look(request, watch -> halfCloseIsGone && watch.look() == Verdict.GONE));
        return gone[0];
    }

    /**
     * How the caller has ended its connection, for a worker who could not read from it, or write to it; null if it has not, or if
     * that cannot be told. A FIN counts where the policy says so.
     */
    public @Nullable CancelReason end(CallScope call) {
        CancelReason[] gone = new CancelReason[1];
        boolean halfCloseIsGone = call.treatment().halfCloseIsGone();
        tryLook(call, request -> gone[0] = look(request, watch -> halfCloseIsGone));
        return gone[0];
    }

    private static void tryLook(CallScope call, Consumer<Object> look) {
        long began = System.nanoTime();
        while (!call.tryLook(look)) {
            if (call.isResponseOver() || System.nanoTime() - began > PATIENCE) {
                return; // it is watched, and will be seen
            }
            Thread.onSpinWait();
        }
    }

    /** @param endCounts whether the end of the stream is a departure, if it has ended */
    private @Nullable CancelReason look(Object request, Predicate<CallerWatch> endCounts) {
        try {
            for (CallerWatch.Source source : sources) {
                CallerWatch watch = source.open(request);
                if (watch != null) {
                    return believed.test(source.name()) ? look(watch, endCounts) : null;
                }
            }
        } catch (UnwatchableException | RuntimeException | LinkageError e) {
            return null; // said by the watcher, if the call lives long enough to be watched
        }
        return null;
    }

    private @Nullable CancelReason look(CallerWatch watch, Predicate<CallerWatch> endCounts) {
        SocketChannel channel = watch.channel();
        if (channel == null) {
            return watch.look() == Verdict.STREAM_RESET ? CancelReason.STREAM_RESET : null;
        }
        ChannelProbe probe = probes.poll();
        try {
            probe = probe == null ? new ChannelProbe() : probe;
            if (probe.isReset(channel)) {
                return CancelReason.CALLER_RESET;
            }
            return probe.isReadable(channel) && endCounts.test(watch) && probe.isAtEnd(channel)
                    ? CancelReason.CALLER_CLOSED
                    : null;
        } catch (IOException e) {
            return null; // no descriptors left: nobody is turned away for that
        } finally {
            giveBack(probe);
        }
    }

    private void giveBack(@Nullable ChannelProbe probe) {
        if (probe != null) {
            probes.add(probe);
            if (closed) { // added, then looked: whoever closes has closed it, or we do
                close();
            }
        }
    }

    /** Closes what is not in use, and the rest when it is given back. */
    @Override
    public void close() {
        closed = true;
        for (ChannelProbe probe = probes.poll(); probe != null; probe = probes.poll()) {
            probe.close();
        }
    }
}
