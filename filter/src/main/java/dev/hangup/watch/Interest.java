package dev.hangup.watch;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When one call's caller is looked at again: when our key on the container's channel is ready, or by the clock. On the watcher thread. */
final class Interest {
    private final Watcher watcher;
    private @Nullable SelectionKey key;
    private Timers.@Nullable Timer resume;
    private Timers.@Nullable Timer next;
    private final Runnable look;

    /** @param look what the clock does */
    Interest(Watcher watcher, Runnable look) {
        this.watcher = watcher;
        this.look = look;
    }

    /** @param selected whether there is a channel to be selected */
    void again(boolean selected, Duration pause) {
        if (selected) {
            rest(pause);
        } else {
            after(pause);
        }
    }

    /** By the clock; null: at signals only. */
    void after(@Nullable Duration pause) {
        watcher.timers().cancel(next);
        next = pause == null ? null : watcher.timers().at(System.nanoTime() + pause.toNanos(), look);
    }

    /** @param watched told when the channel is readable */
    void register(SocketChannel channel, Watched watched) throws IOException {
        try {
            SelectionKey stale = channel.keyFor(watcher.selector());
            if (stale != null) {
                // The connection's previous call: its key must be flushed, or registering again fails.
                stale.cancel();
                watcher.selector().selectNow();
                watcher.selector().selectedKeys().clear();
            }
            key = channel.register(watcher.selector(), SelectionKey.OP_READ, watched);
        } catch (ClosedChannelException e) {
            key = null; // the container has closed it: the deadline is all that is left to do
        }
    }

    /** Level-triggered: a channel that stays readable would make the selector spin, so interest pauses between looks. */
    private void rest(Duration pause) {
        SelectionKey mine = key;
        if (mine != null) {
            set(mine, 0);
            watcher.timers().cancel(resume);
            resume = watcher.timers().at(System.nanoTime() + pause.toNanos(), () -> set(mine, SelectionKey.OP_READ));
        }
    }

    void cancel() {
        watcher.timers().cancel(next);
        watcher.timers().cancel(resume);
        if (key != null) {
            key.cancel();
            key = null;
        }
    }

    private static void set(SelectionKey key, int ops) {
        try {
            key.interestOps(ops);
        } catch (CancelledKeyException e) {
            return; // the container has closed the channel meanwhile: there is nothing left to see
        }
    }
}
