package dev.hangup.policy;

import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What callers may declare and who is believed, the section {@code caller-deadline} of a policy. A declared deadline can only
 * shorten the endpoint's own. Immutable; written as {@code CallerDeadline.OFF.withHeaders("grpc-timeout").withTrusted("10.0.0.0/8")}.
 *
 * @param headers those that are read; of several in one request the smallest counts
 * @param trusted the peers that are believed, by the addresses of their sockets: nobody else's headers count, whatever a
 *     forwarded header says
 * @param floor what is declared shorter counts as this; above zero
 */
public record CallerDeadline(List<DeadlineHeader> headers, List<Network> trusted, Duration floor) {

    /** No header is read and nobody is trusted; the floor is 50 ms. */
    public static final CallerDeadline OFF = new CallerDeadline(List.of(), List.of(), Duration.ofMillis(50));

    /**
     * Checks the floor.
     *
     * @throws IllegalArgumentException if it is not above zero
     */
    public CallerDeadline {
        headers = once(headers);
        trusted = List.copyOf(trusted);
        Settings.aboveZero("floor", floor);
    }

    /** Of those with one name the first: what is named twice would be read, and counted, twice. */
    private static List<DeadlineHeader> once(List<DeadlineHeader> headers) {
        Map<String, DeadlineHeader> byName = new LinkedHashMap<>();
        headers.forEach(header -> byName.putIfAbsent(header.name(), header));
        return List.copyOf(byName.values());
    }

    /**
     * This with other headers, by the names that a policy gives them.
     *
     * @throws IllegalArgumentException if there is no header of such a name
     */
    public CallerDeadline withHeaders(String... names) {
        return new CallerDeadline(Stream.of(names).map(DeadlineHeaders::named).toList(), trusted, floor);
    }

    /**
     * This with other trusted peers.
     *
     * @throws IllegalArgumentException if one is no address or range, see {@link Network#parse}
     */
    public CallerDeadline withTrusted(String... ranges) {
        return new CallerDeadline(headers, Stream.of(ranges).map(Network::parse).toList(), floor);
    }

    /** This with another floor. */
    public CallerDeadline withFloor(Duration floor) {
        return new CallerDeadline(headers, trusted, floor);
    }

    /** Whether headers of this peer count. */
    public boolean trusts(InetAddress peer) {
        for (Network range : trusted) {
            if (range.contains(peer)) {
                return true;
            }
        }
        return false;
    }
}
