package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallListener;
import dev.hangup.call.EndpointView;
import dev.hangup.policy.PolicyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy file that changes while an engine runs. */
final class PolicyReloadTest {

    private static final String OLD = "deadlines: { endpoints: { \"GET /a\": { mode: cancel, normal: 10s } } }";
    private static final String NEW = "deadlines: { endpoints: { \"GET /a\": { mode: cancel, normal: 20s } } }";

    @TempDir
    private Path dir;

    private final AtomicInteger loaded = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final Set<String> cancelling = ConcurrentHashMap.newKeySet();
    private final List<String> said = new CopyOnWriteArrayList<>();

    private final CallListener listener = new CallListener() {
        @Override
        public void policyLoaded(double epochSeconds) {
            loaded.incrementAndGet();
        }

        @Override
        public void policyRefused() {
            refused.incrementAndGet();
        }

        @Override
        public void endpointKnown(EndpointView endpoint) {
            if (endpoint.cancels()) {
                cancelling.add(endpoint.endpoint());
            } else {
                cancelling.remove(endpoint.endpoint());
            }
        }
    };

    private final Logger logger = Logger.getLogger("dev.hangup");
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            said.add(entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    private Hangup start(Path file) {
        return Hangup.builder().policyFile(file).listener(listener).build();
    }

    private static Duration deadline(Hangup hangup) {
        return hangup.policy().ruleFor("GET", "/a").deadline();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(20)); // 5 s on a machine that has time
    }

    private static void awaitDeadline(Hangup hangup, int seconds) {
        soon().until(() -> deadline(hangup).toSeconds() == seconds);
    }

    @Test
    void aChangedFileIsInForceSoonAndTheSameTextOnce() throws IOException {
        Path file = Files.writeString(dir.resolve("hangup.yaml"), OLD);
        try (Hangup hangup = start(file)) {
            assertThat(deadline(hangup)).isEqualTo(Duration.ofSeconds(10));
            FileTime before = Files.getLastModifiedTime(file);
            Files.writeString(file, NEW);
            Files.setLastModifiedTime(file, before); // nor has its length changed
            awaitDeadline(hangup, 20);
            await().during(Duration.ofMillis(2500))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> loaded.get() == 2);
            assertThat(refused).hasValue(0);
            assertThat(said)
                    .noneMatch(line -> line.startsWith("WARNING"))
                    .contains(
                            "INFO Hangup has a new policy: mode observe, half-close gone, deadline 30s, cancels GET /a;"
                                    + " entries: 0 added, 1 changed, 0 removed");
        }
    }

    /** As Kubernetes does it: the file is a link to one in a directory that is a link, and the latter is replaced. */
    @Test
    void aLinkThatIsSwappedIsFollowed() throws IOException {
        Path one = Files.createDirectory(dir.resolve("one"));
        Path two = Files.createDirectory(dir.resolve("two"));
        Files.writeString(one.resolve("hangup.yaml"), OLD);
        Files.writeString(two.resolve("hangup.yaml"), NEW);
        Path data = Files.createSymbolicLink(dir.resolve("data"), one);
        Path file = Files.createSymbolicLink(dir.resolve("hangup.yaml"), data.resolve("hangup.yaml"));
        try (Hangup hangup = start(file)) {
            Path swap = Files.createSymbolicLink(dir.resolve("swap"), two);
            Files.move(swap, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            awaitDeadline(hangup, 20);
        }
    }

    /** Each beginning of it is a policy, too, and none of them is ever in force. */
    @Test
    void aFileThatIsWrittenSlowlyIsReadWhenItIsWhole() throws IOException {
        Path file = Files.writeString(dir.resolve("hangup.yaml"), "deadlines: { defaults: { normal: 1s } }\n");
        AtomicInteger lines = new AtomicInteger();
        AtomicLong last = new AtomicLong(System.nanoTime());
        try (Hangup hangup = start(file)) {
            Files.writeString(file, "deadlines:\n  endpoints:\n");
            await().pollInterval(Duration.ofMillis(200))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> {
                        long now = System.nanoTime();
                        assumeThat(Duration.ofNanos(now - last.getAndSet(now)))
                                .as("the machine stood still, and with it the writing")
                                .isLessThan(Duration.ofMillis(800));
                        assertThat(hangup.policy().rules()).isEmpty();
                        append(file, "    \"GET /" + lines.incrementAndGet() + "\": { normal: 20s }\n");
                        return lines.get() == 15;
                    });
            soon().until(() -> hangup.policy().rules().size() == 15);
            soon().until(() -> loaded.get() == 2);
            assertThat(refused).hasValue(0);
        }
    }

    private static void append(Path file, String line) {
        try {
            Files.writeString(file, line, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aWrongOneChangesNothingAndEachErrorIsSaidOnce() throws IOException {
        Path file = Files.writeString(dir.resolve("hangup.yaml"), OLD);
        try (Hangup hangup = start(file)) {
            Files.writeString(file, "mode: cancle\nsettings: { grace: 5 }\n");
            soon().until(() -> refused.get() == 1);
            await().during(Duration.ofMillis(2500))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> refused.get() == 1);
            assertThat(deadline(hangup)).isEqualTo(Duration.ofSeconds(10));
            assertThat(said)
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .containsExactly(
                            "WARNING Hangup keeps its policy: " + file + ", line 1, column 7: mode = \"cancle\":"
                                    + " unknown mode; expected one of observe, cancel, off",
                            "WARNING Hangup keeps its policy: " + file + ", line 2, column 20: settings.grace = \"5\":"
                                    + " no unit; expected a duration of 0ms or more, such as 1500ms, 1.5s, 30s or 2m");
            Files.delete(file);
            soon().until(() -> refused.get() == 2);
            assertThat(said)
                    .last()
                    .isEqualTo("WARNING Hangup keeps its policy: " + file
                            + ": no such file; expected a readable policy file");
            Files.writeString(file, NEW);
            awaitDeadline(hangup, 20);
        }
    }

    @Test
    void aChangeOfModeIsAWarningAndWhatIsNotNamedAnyMoreCancelsNoMore() throws IOException {
        Path file = Files.writeString(dir.resolve("hangup.yaml"), OLD);
        try (Hangup hangup = start(file)) {
            assertThat(cancelling).containsExactly("GET /a");
            Files.writeString(file, "deadlines: { endpoints: { \"GET /b\": { mode: cancel } } }");
            soon().until(() -> loaded.get() == 2);
            assertThat(cancelling).containsExactly("GET /b");
            assertThat(hangup.policy().loadedAt()).isAfter(Instant.now().minusSeconds(60));
            soon().until(() ->
                    said.contains("WARNING Hangup has a new policy: mode observe, half-close gone, deadline 30s,"
                            + " cancels GET /b; entries: 1 added, 0 changed, 1 removed; begin to cancel: GET /b;"
                            + " cease to cancel: GET /a"));
        }
    }

    @Test
    void whatWasPutOnTopStaysThereAndAnEngineThatIsClosedLooksNoMore() throws IOException {
        Path file = Files.writeString(dir.resolve("hangup.yaml"), OLD);
        Hangup hangup = Hangup.builder()
                .policyFile(PolicyFile.read(file).withOverrides(Map.of("grace", "7ms"), "init-param"))
                .listener(listener)
                .build();
        try (hangup) {
            Files.writeString(file, NEW + "\nsettings: { grace: 9ms }\n");
            awaitDeadline(hangup, 20);
            assertThat(hangup.policy().settings().grace()).isEqualTo(Duration.ofMillis(7));
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("hangup-policy"));
    }
}
