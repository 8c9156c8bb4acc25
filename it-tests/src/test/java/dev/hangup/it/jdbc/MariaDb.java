package dev.hangup.it.jdbc;

import static org.awaitility.Awaitility.await;

import dev.hangup.it.Child;
import dev.hangup.it.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A MariaDB server of its own, without users or passwords; ends with this JVM at the latest. The tests are skipped where there is none. */
final class MariaDb implements AutoCloseable {
    private final Child server;
    private final int port;

    private MariaDb(Child server, int port) {
        this.server = server;
        this.port = port;
    }

    static MariaDb start(Path directory) throws IOException {
        String program = Program.MARIADBD.path();
        Path data = Files.createDirectories(directory.resolve("data"));
        Files.createDirectories(data.resolve("it"));
        int port = freePort();
        List<String> command = new ArrayList<>(List.of(
                program,
                "--no-defaults",
                "--datadir=" + data,
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + directory.resolve("socket"),
                "--skip-grant-tables",
                "--innodb-flush-log-at-trx-commit=0",
                "--innodb-buffer-pool-size=32M"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root"); // it refuses otherwise
        }
        Child server = Child.start(directory, command);
        await().atMost(Duration.ofSeconds(60)).until(() -> !server.isAlive() || isOpen(port));
        if (!server.isAlive()) {
            throw new IOException("mariadbd did not start: " + server.output());
        }
        return new MariaDb(server, port);
    }

    /** @param scheme {@code mariadb} or {@code mysql}, which says whose driver it is */
    String url(String scheme) {
        return "jdbc:" + scheme + "://127.0.0.1:" + port + "/it?user=root&sslMode="
                + (scheme.equals("mysql") ? "DISABLED" : "disable");
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    static boolean isOpen(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
