package dev.hangup.watch.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.watch.KernelTable.State;
import dev.hangup.watch.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

final class SocketTableTest {

    private static final String HEADING =
            "  sl  local_address                         remote_address                        st tx_queue rx_queue\n";
    private static final String REST =
            " 00000000:00000000 00:00000000 00000000     0        0 2526776 1 00000000b6334c9d\n";

    @TempDir
    private Path directory;

    // ---- files as the kernel of a little-endian machine writes them

    @Test
    void findsIpv4InItsOwnFileAndMappedInTheOther() throws IOException {
        Assumptions.assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "files of another byte order");
        Route own = route("10.1.2.3", 8080, "192.168.0.254", 50000);
        Route mapped = route("10.1.2.3", 8080, "192.168.0.254", 50001);
        SocketTable table = table(
                row("0000000000000000FFFF00000302010A:1F90", "0000000000000000FFFF0000FE00A8C0:C351", "08"),
                row("0302010A:1F90", "FE00A8C0:C350", "01"));
        assertThat(table.states(Set.of(own, mapped)))
                .isEqualTo(Map.of(own, State.ESTABLISHED, mapped, State.CALLER_CLOSED));
    }

    @Test
    void findsIpv6() throws IOException {
        Assumptions.assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "files of another byte order");
        Route route = route("2001:db8::1", 443, "fe80::1234:5678:9abc:def0", 65535);
        SocketTable table =
                table(row("B80D0120000000000000000001000000:01BB", "000080FE0000000078563412F0DEBC9A:FFFF", "01"), "");
        assertThat(table.states(Set.of(route))).containsEntry(route, State.ESTABLISHED);
    }

    @Test
    void tellsAnotherConnectionWithTheSamePorts() throws IOException {
        Assumptions.assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "files of another byte order");
        Route wanted = route("10.1.2.3", 8080, "192.168.0.254", 50000);
        String listener = row("00000000:1F90", "00000000:0000", "0A");
        String other = row("0302010A:1F90", "FD00A8C0:C350", "08");
        assertThat(table("", other).states(Set.of(wanted))).containsEntry(wanted, State.UNKNOWN);
        assertThat(table("", listener + other).states(Set.of(wanted))).containsEntry(wanted, State.MISSING);
        assertThat(table(
                                row(
                                        "00000000000000000000000000000000:1F90",
                                        "00000000000000000000000000000000:0000",
                                        "0A"),
                                other)
                        .states(Set.of(wanted)))
                .containsEntry(wanted, State.MISSING);
    }

    /** What the kernel's numbers mean for us: whether the caller's FIN has arrived. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "01 ESTABLISHED",
                "04 CLOSING",
                "05 CLOSING",
                "06 CALLER_CLOSED",
                "08 CALLER_CLOSED",
                "09 CALLER_CLOSED",
                "0B CALLER_CLOSED"
            })
    void knowsTheStates(String numberAndState) throws IOException {
        Assumptions.assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "files of another byte order");
        Route route = route("10.1.2.3", 8080, "192.168.0.254", 50000);
        SocketTable table = table("", row("0302010A:1F90", "FE00A8C0:C350", numberAndState.substring(0, 2)));
        assertThat(table.states(Set.of(route))).containsEntry(route, State.valueOf(numberAndState.substring(3)));
    }

    /** More than a buffer holds, so that rows are cut anywhere. */
    @Test
    void findsEachOfManyRows() throws IOException {
        Assumptions.assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "files of another byte order");
        StringBuilder rows = new StringBuilder();
        Set<Route> routes = new java.util.HashSet<>();
        for (int port = 20000; port < 21000; port++) {
            rows.append(row("0302010A:1F90", "FE00A8C0:" + String.format("%04X", port), port % 2 == 0 ? "01" : "08"));
            routes.add(route("10.1.2.3", 8080, "192.168.0.254", port));
        }
        Map<Route, State> states = table("", rows.toString()).states(routes);
        assertThat(states).hasSize(1000);
        states.forEach((route, state) -> assertThat(state)
                .isEqualTo(route.remote().getPort() % 2 == 0 ? State.ESTABLISHED : State.CALLER_CLOSED));
    }

    // ---- this machine's own sockets

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "0.0.0.0", "::"})
    void followsARealConnectionToItsEnd(String address) throws IOException {
        SocketTable table = thisSystem();
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            Assumptions.assumeTrue(binds(listener, address), "no such address here: " + address);
            for (boolean reset : List.of(false, true)) {
                InetAddress to = InetAddress.getByName(address.contains(":") ? "::1" : "127.0.0.1");
                int port = listener.socket().getLocalPort();
                try (SocketChannel caller = SocketChannel.open(new InetSocketAddress(to, port));
                        SocketChannel ours = listener.accept()) {
                    Route route = Route.of(ours);
                    assertThat(route).isNotNull();
                    assertThat(table.states(Set.of(route))).containsEntry(route, State.ESTABLISHED);
                    caller.write(ByteBuffer.wrap("unread".getBytes(StandardCharsets.ISO_8859_1)));
                    if (reset) {
                        caller.setOption(StandardSocketOptions.SO_LINGER, 0);
                    }
                    caller.close();
                    State end = reset ? State.MISSING : State.CALLER_CLOSED;
                    await().untilAsserted(() ->
                            assertThat(table.states(Set.of(route))).containsEntry(route, end));
                    assertThat(ours.isOpen()).isTrue();
                    if (reset) {
                        listener.close();
                        assertThat(table.states(Set.of(route))).containsEntry(route, State.UNKNOWN);
                    }
                }
            }
        }
    }

    private static SocketTable thisSystem() {
        SocketTable table = SocketTable.ofThisSystem();
        if (table == null) {
            throw new TestAbortedException("no /proc/self/net/tcp");
        }
        return table;
    }

    private static boolean binds(ServerSocketChannel listener, String address) {
        try {
            listener.bind(new InetSocketAddress(address, 0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Route route(String local, int localPort, String remote, int remotePort) {
        return new Route(new InetSocketAddress(local, localPort), new InetSocketAddress(remote, remotePort));
    }

    private static String row(String local, String remote, String state) {
        return "   0: " + local + " " + remote + " " + state + REST;
    }

    private SocketTable table(String tcp6, String tcp) throws IOException {
        List<Path> files = List.of(directory.resolve("tcp6"), directory.resolve("tcp"));
        Files.writeString(files.get(0), HEADING + tcp6);
        Files.writeString(files.get(1), HEADING + tcp);
        return new SocketTable(files);
    }
}
