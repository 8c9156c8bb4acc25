package dev.hangup.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A running nginx and a running HAProxy, with a port for each of their {@link Hop}s and each container behind them. */
final class Proxies implements AutoCloseable {

    /** Another process may have taken a port that was free a moment ago. */
    private static final int ATTEMPTS = 3;

    private final List<Front> fronts = new ArrayList<>();
    private final List<Child> running = new ArrayList<>();

    private Proxies() {}

    /**
     * @param directory for their configurations and logs
     * @param servers the ports of the containers
     */
    static Proxies start(Path directory, Map<ContainerKind, Integer> servers) throws IOException {
        Proxies proxies = new Proxies();
        try {
            for (Program program : List.of(Program.NGINX, Program.HAPROXY)) {
                proxies.start(program, Files.createTempDirectory(directory, "proxy"), servers);
            }
            return proxies;
        } catch (IOException | RuntimeException | Error e) {
            proxies.close();
            throw e;
        }
    }

    int port(Hop hop, ContainerKind container) {
        return fronts.stream()
                .filter(front -> front.hop() == hop && front.container() == container)
                .findFirst()
                .orElseThrow()
                .port();
    }

    private void start(Program program, Path home, Map<ContainerKind, Integer> servers) throws IOException {
        String path = program.path();
        for (int attempt = 1; ; attempt++) {
            List<Front> all = place(program, servers);
            List<String> command = program == Program.NGINX
                    ? NginxConfig.command(path, home, all)
                    : HaProxyConfig.command(path, home, all);
            Child child = Child.start(home, command);
            running.add(child);
            await().until(() -> !child.isAlive() || all.stream().allMatch(Proxies::isOpen));
            if (child.isAlive()) {
                fronts.addAll(all);
                return;
            }
            if (attempt == ATTEMPTS) {
                throw new AssertionError(path + " does not start: " + child.output());
            }
        }
    }

    private static List<Front> place(Program program, Map<ContainerKind, Integer> servers) throws IOException {
        List<Front> placed = new ArrayList<>();
        List<ServerSocket> held = new ArrayList<>(); // until the last is found, so that all are different
        try {
            for (Hop hop : Hop.values()) {
                for (Map.Entry<ContainerKind, Integer> server : servers.entrySet()) {
                    if (hop.program() == program) {
                        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                        held.add(socket);
                        placed.add(new Front(hop, server.getKey(), socket.getLocalPort(), server.getValue()));
                    }
                }
            }
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
        return placed;
    }

    private static boolean isOpen(Front front) {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), front.port())) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        running.forEach(Child::close);
    }
}
