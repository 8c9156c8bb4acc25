package dev.hangup.watch;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * The kernel's own list of TCP connections. It shows a caller's FIN or reset also where a channel cannot: behind bytes that
 * nobody has read yet, and without touching the channel.
 */
public interface KernelTable {
    /**
     * Reads the list once for all of these connections. Blocks for some 10 ms: never on the watcher. The list is not read in one
     * instant, so that a connection may be missed while others come and go.
     *
     * @return what was found, for each of them
     */
    Map<Route, State> states(Set<Route> routes) throws IOException;

    /** What the list says of a connection. */
    enum State {
        /** Open in both directions. */
        ESTABLISHED,
        /** The caller's FIN has arrived, whatever waits in front of it. */
        CALLER_CLOSED,
        /** Listed in another state: we have closed our side, and have not heard of the caller's. */
        CLOSING,
        /** Not listed, though its listener is: reset, given up by a keep-alive probe, or missed by this reading. */
        MISSING,
        /** Neither it nor its listener is listed: the socket may live in another network namespace. */
        UNKNOWN
    }
}
