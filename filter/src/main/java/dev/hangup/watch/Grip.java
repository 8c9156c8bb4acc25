package dev.hangup.watch;

import dev.hangup.call.Connection;
import java.nio.channels.NetworkChannel;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a watched call has of its connection until its response is over. All within the peer lock, or by whoever has just closed
 * it for good; but {@link #deadlineMoved} by any thread.
 */
final class Grip implements Connection {
    private final Runnable withdraw;
    private final Runnable moved;
    private final Runnable close;
    /** There, too, where the caller cannot be watched. */
    private @Nullable Connection line;
    /** Puts back the connection's own keep-alive. */
    private @Nullable Runnable restore;

    /** Whether a watch without a channel sees the caller's stream lost. */
    private @Nullable BooleanSupplier lost;

    private boolean aborted;

    /**
     * @param withdraw run when the connection was broken off
     * @param moved run when the call has another deadline
     * @param close run when the response is over
     */
    Grip(Runnable withdraw, Runnable moved, Runnable close) {
        this.withdraw = withdraw;
        this.moved = moved;
        this.close = close;
    }

    void line(@Nullable Connection found) {
        line = found;
    }

    void lost(BooleanSupplier look) {
        lost = look;
    }

    void probe(Probes probes, NetworkChannel socket) {
        if (Probes.isSupported(socket)) {
            restore = probes.begin(socket);
        }
    }

    /** What a look finds from now on is our own doing. */
    boolean isAborted() {
        return aborted;
    }

    @Override
    public void abort() {
        abort(Connection::abort);
    }

    @Override
    public void abortPendingWrite() {
        abort(Connection::abortPendingWrite);
    }

    private void abort(Consumer<Connection> how) {
        aborted = true;
        Connection wire = line;
        if (wire != null) {
            how.accept(wire);
            withdraw.run();
        }
    }

    @Override
    public void deadlineMoved() {
        moved.run();
    }

    @Override
    public boolean isLost() {
        try {
            return lost != null && !aborted && lost.getAsBoolean();
        } catch (RuntimeException | LinkageError e) {
            return false; // said when the watch looks the next time; not to the application
        }
    }

    /** {@inheritDoc} The connection's next request may set a keep-alive of its own: ours is gone by then. */
    @Override
    public void over() {
        if (restore != null) {
            restore.run();
            restore = null;
        }
        line = null;
        lost = null;
        close.run();
    }
}
