package dev.hangup.it;

import dev.hangup.call.Unwatched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which departures were seen, and how soon: a row for each way to leave, over each protocol, from each container. */
final class DetectionTable {

    private static final Path DOCS = Path.of("../docs/detection.md");

    /** What the call is doing when its caller leaves. */
    enum Work {
        SYNC,
        ASYNC,
        /** Synchronous on a virtual thread. */
        VIRTUAL
    }

    record Column(ContainerKind container, Wire wire, Work work) {}

    /** The departures of one kind. */
    static final class Cell {
        private final List<Long> nanos = new ArrayList<>();
        private final Set<Unwatched> causes = new TreeSet<>();
        private final List<String> missed = new ArrayList<>();

        void seen(long after) {
            nanos.add(after);
        }

        void unwatched(Unwatched cause) {
            causes.add(cause);
        }

        void missed(String call) {
            missed.add(call);
        }

        private String text() {
            if (!missed.isEmpty()) {
                return missed.size() + " MISSED";
            }
            if (!causes.isEmpty()) {
                return "not watched: " + causes;
            }
            Collections.sort(nanos);
            return String.format(
                    Locale.ROOT,
                    "%d of %d, %.1f ms, %.1f ms",
                    nanos.size(),
                    nanos.size(),
                    nanos.get(nanos.size() / 2) / 1e6,
                    nanos.get(nanos.size() - 1) / 1e6);
        }
    }

    private record Row(ContainerKind container, Wire wire, Exit exit) implements Comparable<Row> {
        String text() {
            return "| " + container + " | " + wire + " | " + exit.words + " |";
        }

        @Override
        public int compareTo(Row other) {
            int order = container.compareTo(other.container);
            order = order == 0 ? wire.compareTo(other.wire) : order;
            return order == 0 ? exit.compareTo(other.exit) : order;
        }
    }

    private static final Set<Wire> TOMCATS = EnumSet.of(Wire.NIO2, Wire.NIO2_TLS, Wire.AJP);

    private final int ofEach;
    private final Map<Row, Map<Work, Cell>> cells = new ConcurrentHashMap<>();

    DetectionTable(int ofEach) {
        this.ofEach = ofEach;
    }

    static boolean isLinux() {
        return System.getProperty("os.name").startsWith("Linux");
    }

    /** All that this JVM can have. */
    static List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        for (ContainerKind container : ContainerKind.values()) {
            for (Wire wire : Wire.values()) {
                for (Work work : Work.values()) {
                    if ((container == ContainerKind.TOMCAT || !TOMCATS.contains(wire))
                            && (work != Work.VIRTUAL || Runtime.version().feature() >= 21)) {
                        columns.add(new Column(container, wire, work));
                    }
                }
            }
        }
        return columns;
    }

    void add(Column column, Exit exit, Cell cell) {
        cells.computeIfAbsent(new Row(column.container, column.wire, exit), row -> new ConcurrentHashMap<>())
                .put(column.work, cell);
    }

    List<String> missed() {
        return where((row, cell) -> cell.missed.isEmpty() ? null : cell.missed.toString());
    }

    /** Other than those for which there is no remedy, and which must be counted. */
    List<String> unwatched() {
        return where((row, cell) -> cell.causes.equals(row.wire == Wire.AJP ? Set.of(Unwatched.AJP) : Set.of())
                ? null
                : cell.causes.toString());
    }

    private interface Question {
        @Nullable
        String ask(Row row, Cell cell);
    }

    private List<String> where(Question question) {
        List<String> found = new ArrayList<>();
        cells.forEach((row, works) -> works.forEach((work, cell) -> {
            String answer = question.ask(row, cell);
            if (answer != null) {
                found.add(row.text() + " " + work + ": " + answer);
            }
        }));
        return found;
    }

    /** Writes the page, if a file is named. */
    void keep() throws IOException {
        String file = System.getProperty("detection.docs");
        if (file != null) {
            Files.writeString(Path.of(file), toString());
        }
    }

    /** What the page in the repository does not say, though it was just seen. */
    List<String> lackingInDocs() throws IOException {
        String page = Files.readString(DOCS);
        return cells.keySet().stream()
                .map(Row::text)
                .filter(row -> !page.contains(row))
                .toList();
    }

    @Override
    public String toString() {
        StringBuilder page = new StringBuilder();
        page.append(String.format(Locale.ROOT, """
                # Which departures are seen, and how soon

                Written by a test, %d departures in each cell, on Linux with JDK %d:
                `mvn verify -Psoak -Dit.test=DetectionMatrixIT -Ddetection.docs=$PWD/docs/detection.md`, and `-Djvm=` with the path of
                a newer JVM for the last column. A cell says how many were seen, then the median and the longest time from the
                caller's leaving to the call's cancel. The machine was shared: read the times for their order.

                AJP is not watched, because its peer is a web server that keeps its connections: such calls are counted in
                `hangup_calls_unwatched_total` and have their deadlines. An upgraded connection (WebSocket) is let go.

                | container | protocol | the caller | synchronous | asynchronous | on virtual threads |
                |---|---|---|---|---|---|
                """, ofEach, Runtime.version().feature()));
        new TreeMap<>(cells).forEach((row, works) -> {
            page.append(row.text());
            for (Work work : Work.values()) {
                Cell cell = works.get(work);
                page.append(' ').append(cell == null ? "" : cell.text()).append(" |");
            }
            page.append('\n');
        });
        return page.toString();
    }
}
