package dev.hangup.watch.linux;

import dev.hangup.watch.KernelTable.State;
import dev.hangup.watch.Route;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The connections that one reading looks for, and what it has found of them. Rows that are none of them cost no object. */
final class Wanted {
    private static final int ESTABLISHED = 0x01;
    private static final int TIME_WAIT = 0x06;
    private static final int CLOSE_WAIT = 0x08;
    private static final int LAST_ACK = 0x09;
    private static final int LISTEN = 0x0A;
    private static final int CLOSING = 0x0B;

    private final Set<Route> routes;
    private final Map<Key, Route> keys = new HashMap<>();
    /** Sorted; a row with other ports is none of ours, and needs no further look. */
    private final int[] ports;

    private final int[] localPorts;
    private final boolean[] listening;
    private final Map<Route, State> found = new HashMap<>();

    Wanted(Set<Route> routes) {
        this.routes = routes;
        routes.forEach(route -> keys.put(Key.of(route), route));
        ports = keys.keySet().stream().mapToInt(Key::ports).sorted().toArray();
        localPorts = routes.stream()
                .mapToInt(route -> route.local().getPort())
                .distinct()
                .sorted()
                .toArray();
        listening = new boolean[localPorts.length];
    }

    void row(Rows row) {
        if (row.state == LISTEN) {
            int index = Arrays.binarySearch(localPorts, row.localPort);
            if (index >= 0) {
                listening[index] = true;
            }
        } else if (Arrays.binarySearch(ports, ports(row.localPort, row.remotePort)) >= 0) {
            Route route = keys.get(new Key(
                    row.localHigh, row.localLow, row.remoteHigh, row.remoteLow, ports(row.localPort, row.remotePort)));
            if (route != null) {
                found.put(route, state(row.state));
            }
        }
    }

    /** For each connection, whether it was found or not. */
    Map<Route, State> states() {
        for (Route route : routes) {
            int index = Arrays.binarySearch(localPorts, route.local().getPort());
            found.putIfAbsent(route, listening[index] ? State.MISSING : State.UNKNOWN);
        }
        return found;
    }

    /** RFC 9293 section 3.3.2: which states lie behind the arrival of the other side's FIN. */
    private static State state(int state) {
        return switch (state) {
            case ESTABLISHED -> State.ESTABLISHED;
            case CLOSE_WAIT, LAST_ACK, CLOSING, TIME_WAIT -> State.CALLER_CLOSED;
            default -> State.CLOSING;
        };
    }

    private static int ports(int local, int remote) {
        return local << 16 | remote;
    }

    private record Key(long localHigh, long localLow, long remoteHigh, long remoteLow, int ports) {
        /** By hand, see {@link Route#equals}. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && ports == key.ports
                    && localLow == key.localLow
                    && remoteLow == key.remoteLow
                    && localHigh == key.localHigh
                    && remoteHigh == key.remoteHigh;
        }

        @Override
        public int hashCode() {
            return 31 * (31 * Long.hashCode(localLow) + Long.hashCode(remoteLow)) + ports;
        }

        static Key of(Route route) {
            ByteBuffer local = bytes(route.local());
            ByteBuffer remote = bytes(route.remote());
            return new Key(
                    local.getLong(0),
                    local.getLong(8),
                    remote.getLong(0),
                    remote.getLong(8),
                    Wanted.ports(route.local().getPort(), route.remote().getPort()));
        }

        private static ByteBuffer bytes(InetSocketAddress end) {
            InetAddress address = end.getAddress();
            ByteBuffer bytes = ByteBuffer.allocate(16);
            byte[] given = address.getAddress();
            if (given.length == 4) {
                bytes.put(10, (byte) 0xFF).put(11, (byte) 0xFF);
            }
            return bytes.put(16 - given.length, given);
        }
    }
}
