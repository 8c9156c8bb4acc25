package dev.hangup.watch.linux;

import dev.hangup.watch.KernelTable;
import dev.hangup.watch.Route;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Linux's table of TCP sockets, of the network namespace that this JVM is in. IPv4 connections of a socket that listens for both
 * stand among those of IPv6, mapped. Any thread.
 */
public final class SocketTable implements KernelTable {
    private static final Path HOME = Path.of("/proc/self/net");

    private final List<Path> files;

    SocketTable(List<Path> files) {
        this.files = files;
    }

    /** This system's, or null if it has none that can be read. */
    public static @Nullable SocketTable ofThisSystem() {
        List<Path> files = List.of(HOME.resolve("tcp6"), HOME.resolve("tcp"));
        List<Path> readable = files.stream().filter(Files::isReadable).toList();
        return readable.isEmpty() ? null : new SocketTable(readable);
    }

    @Override
    public Map<Route, State> states(Set<Route> routes) throws IOException {
        Wanted wanted = new Wanted(routes);
        for (Path file : files) {
            // No channel: an interrupt would close it.
            try (Rows rows = new Rows(new FileInputStream(file.toFile()))) {
                while (rows.next()) {
                    wanted.row(rows);
                }
            }
        }
        return wanted.states();
    }
}
