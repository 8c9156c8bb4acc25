package dev.hangup.watch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the watcher asks of its engine and tells it, on the watcher thread. */
public interface WatchHost {
    /** How old a call must be to be watched; asked anew each round. */
    Duration grace();

    /** The size of the container's thread pool; told once, as soon as a request shows it. */
    default void workerThreads(int size) {}

    /** The kernel's table of sockets, asked once; null where there is none. */
    default @Nullable KernelTable kernel() {
        return null;
    }

    /** The keep-alive for connections of calls that may be cancelled; null: none. */
    default @Nullable Probes keepAlive() {
        return null;
    }

    /** The kernel's table has contradicted a departure that the watch of this name had seen. */
    default void contradicted(String watch) {}
}
