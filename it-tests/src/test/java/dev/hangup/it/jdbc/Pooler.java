package dev.hangup.it.jdbc;

import static org.awaitility.Awaitility.await;

import dev.hangup.it.Child;
import dev.hangup.it.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A pgbouncer that lends few connections of a PostgreSQL to many clients, for one transaction each. Tests are skipped where there is none. */
final class Pooler implements AutoCloseable {
    private final Child program;
    private final int port;

    private Pooler(Child program, int port) {
        this.program = program;
        this.port = port;
    }

    static Pooler start(Path directory, int postgresPort, int connections) throws IOException {
        int port = MariaDb.freePort();
        String path = Program.PGBOUNCER.path();
        Path configuration = directory.resolve("pgbouncer.ini");
        Files.writeString(configuration, """
                [databases]
                postgres = host=127.0.0.1 port=%d dbname=postgres user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 200
                ignore_startup_parameters = extra_float_digits
                """.formatted(postgresPort, port, connections));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> command = new ArrayList<>(List.of(path));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-u", "nobody")); // it refuses otherwise
        }
        command.add(configuration.toString());
        Child program = Child.start(directory, command);
        await().atMost(Duration.ofSeconds(30)).until(() -> !program.isAlive() || MariaDb.isOpen(port));
        if (!program.isAlive()) {
            throw new IOException("pgbouncer did not start: " + program.output());
        }
        return new Pooler(program, port);
    }

    /** Without prepared statements, which stay with a connection that the next transaction may not get. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable&prepareThreshold=0";
    }

    @Override
    public void close() {
        program.close();
    }
}
