package dev.hangup.watch;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Connection;
import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch.UnwatchableException;
import dev.hangup.watch.CallerWatch.Verdict;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call that has outlived its grace: its channel registered with the watcher's selector, its deadline among the timers. All on
 * the watcher thread, except what {@link Connection} has.
 *
 * <p>The container's channel is looked at only inside {@link CallScope#tryLook}: the response cannot end meanwhile, and once it
 * has ended nothing here touches the channel but to cancel our own key.
 */
final class Watched implements Connection {
    private static final Duration AMBIGUOUS_AGAIN = Duration.ofMillis(50);
    private static final Duration HALF_CLOSED_AGAIN = Duration.ofMillis(250);

    private final Watcher watcher;
    private final CallScope call;
    /** Set by the watcher inside the peer lock; {@link #abort} reads it inside the peer lock. */
    private @Nullable SocketChannel channel;

    /** As the channel; there, too, where the caller cannot be watched. */
    private @Nullable Connection line;
    /** Inside the peer lock. What a look finds afterwards is our own doing. */
    private boolean aborted;

    private @Nullable CallerWatch watch;
    private @Nullable SelectionKey key;
    private Timers.@Nullable Timer deadline;
    private Timers.@Nullable Timer nextLook;
    /** The caller has closed its side, which the policy tolerates: only a reset counts from now on. */
    private boolean halfClosed;

    Watched(Watcher watcher, CallScope call) {
        this.watcher = watcher;
        this.call = call;
    }

    void open() {
        setTimer();
        find();
    }

    /** Race: a deadline that is moved now. Whoever moves it writes it, then tells the connection it finds; {@link #find} makes itself known, then reads it. */
    private void setTimer() {
        if (!watcher.debugged() && !call.isResponseOver()) {
            watcher.timers().cancel(deadline);
            deadline = watcher.timers().at(call.deadlineAt(), call::deadlinePassed);
        }
    }

    @Override
    public void deadlineMoved() {
        watcher.command(this::setTimer);
    }

    private void find() {
        if (call.tryLook(this::find)) {
            return;
        }
        if (call.isResponseOver()) {
            close();
        } else { // a canceller is looking just now
            watcher.timers().at(System.nanoTime() + Watcher.SECOND_LOOK.toNanos(), this::find);
        }
    }

    private void find(Object request) {
        call.connection(this);
        setTimer();
        try {
            for (CallerWatch.Source source : watcher.sources()) {
                if (line == null) {
                    line = source.wire(request);
                }
                CallerWatch found = source.open(request);
                if (found != null) {
                    watch = found;
                    watcher.workers(source, request);
                    channel = found.channel();
                    found.begin(() -> watcher.command(this::ready));
                    begin(found);
                    return;
                }
            }
            unwatched(Unwatched.UNKNOWN_CONTAINER, request.getClass().getName());
        } catch (UnwatchableException e) {
            unwatched(e.unwatched(), String.valueOf(e.getMessage()));
        }
    }

    private void begin(CallerWatch found) {
        SocketChannel wire = found.channel();
        if (wire != null) {
            register(wire);
        } else {
            watcher.command(this::ready);
        }
    }

    private void unwatched(Unwatched cause, String message) {
        call.unwatched(cause);
        watcher.report(cause, message);
    }

    private void register(SocketChannel found) {
        try {
            SelectionKey stale = found.keyFor(watcher.selector());
            if (stale != null) {
                // The connection's previous call: its key must be flushed, or registering again fails.
                stale.cancel();
                watcher.selector().selectNow();
                watcher.selector().selectedKeys().clear();
            }
            key = found.register(watcher.selector(), SelectionKey.OP_READ, this);
        } catch (ClosedChannelException e) {
            key = null; // the container has closed it: the deadline is all that is left to do
        } catch (IOException e) {
            unwatched(Unwatched.INTERNALS_CHANGED, "registering failed: " + e);
        }
    }

    boolean isBusy() {
        return call.workers() > 0;
    }

    /** The selector found the channel readable, or it is time for a look. */
    void ready() {
        if (watch == null) {
            return; // a signal after the end
        }
        CancelReason[] gone = new CancelReason[1];
        if (!call.tryLook(request -> gone[0] = look())) {
            // Over: our key goes with the command that over() has queued. Or somebody else is looking: later.
            again(Watcher.SECOND_LOOK);
            return;
        }
        if (gone[0] != null) {
            withdraw();
            call.callerGone(gone[0]);
        }
    }

    /** Inside the peer lock. Why the caller is gone, or null while it cannot be said. */
    private @Nullable CancelReason look() {
        CallerWatch open = watch;
        SocketChannel wire = channel;
        if (open == null || aborted) {
            return null;
        }
        Verdict verdict = halfClosed ? Verdict.GONE : open.look();
        if (wire != null && watcher.probe().isReset(wire)) { // certain whatever waits in front of it, and whoever reads
            return CancelReason.CALLER_RESET;
        }
        switch (verdict) {
            case STREAM_RESET -> {
                return CancelReason.STREAM_RESET;
            }
            case GONE -> {
                if (call.treatment().halfCloseIsGone()) {
                    return CancelReason.CALLER_CLOSED;
                }
                halfClosed = true;
                again(HALF_CLOSED_AGAIN);
            }
            case PRESENT -> lookAfter(open.pause());
            case AGAIN -> again(Watcher.SECOND_LOOK);
            case AMBIGUOUS -> again(AMBIGUOUS_AGAIN);
        }
        return null;
    }

    private void again(Duration pause) {
        if (channel != null) {
            restAndResume(pause);
        } else {
            lookAfter(pause);
        }
    }

    private void lookAfter(@Nullable Duration pause) {
        watcher.timers().cancel(nextLook);
        nextLook = pause == null ? null : watcher.timers().at(System.nanoTime() + pause.toNanos(), this::ready);
    }

    /** Level-triggered: a channel that stays readable would make the selector spin, so interest pauses between looks. */
    private void restAndResume(Duration pause) {
        SelectionKey mine = key;
        if (mine != null) {
            interest(mine, 0);
            watcher.timers().cancel(nextLook);
            nextLook = watcher.timers()
                    .at(System.nanoTime() + pause.toNanos(), () -> interest(mine, SelectionKey.OP_READ));
        }
    }

    private static void interest(SelectionKey key, int ops) {
        try {
            key.interestOps(ops);
        } catch (CancelledKeyException e) {
            return; // the container has closed the channel meanwhile: there is nothing left to see
        }
    }

    /** The verdict is final: no further look, but the deadline may still have to end the work. */
    private void withdraw() {
        watcher.timers().cancel(nextLook);
        if (key != null) {
            key.cancel();
            key = null;
        }
    }

    private void close() {
        watcher.closed(this);
        withdraw();
        watcher.timers().cancel(deadline);
        deadline = null;
        watch = null;
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
            watcher.command(this::withdraw); // the descriptor is freed when every selector has let go of it
        }
    }

    /** {@inheritDoc} Cancelling the key wakes the selector, which must run before a closed channel's descriptor is freed. */
    @Override
    public void over() {
        channel = null;
        line = null;
        watcher.command(this::close);
    }
}
