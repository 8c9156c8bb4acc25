package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * A policy of ten thousand endpoints is read again while a thousand requests come each second: none is lost, and none is delayed.
 * Each round has a stretch without a reload and one of the same length with one, and the ratio of their 99th percentiles is taken
 * over all rounds.
 */
final class ReloadUnderLoadIT {

    private static final int CONNECTIONS = 10;
    private static final int PER_SECOND = 1_000;
    private static final int PER_CONNECTION = 90;
    private static final int ENDPOINTS = 10_000;

    private final ConcurrentLinkedQueue<Throwable> lost = new ConcurrentLinkedQueue<>();
    private final AtomicInteger served = new AtomicInteger();

    private int reloads;

    /** Which of two sets of latencies is being filled. */
    private volatile int set;

    private final AtomicBoolean over = new AtomicBoolean();
    private final long[][] nanos = new long[2][1 << 20];
    private final AtomicInteger[] counts = {new AtomicInteger(), new AtomicInteger()};

    @EachContainer
    void noneIsLost(ContainerKind kind, @TempDir Path dir) throws Exception {
        double unused = run(kind, dir, 1, Duration.ofSeconds(2)); // too short to say anything of delays
    }

    @Tag("soak")
    @Tag("alone")
    @EachContainer
    void noneIsDelayed(ContainerKind kind, @TempDir Path dir) throws Exception {
        assertThat(run(kind, dir, 2, Duration.ofSeconds(30))).isLessThan(1.2);
    }

    /** The 99th percentile with reloads over the one without. */
    private double run(ContainerKind kind, Path dir, int rounds, Duration each) throws Exception {
        Path file = Files.writeString(dir.resolve("hangup.yaml"), document(0));
        try (Hangup hangup = Hangup.builder().policyFile(file).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/", new LambdaServlet((request, response) -> response.getWriter()
                                .print("served"))))) {
            CountDownLatch ended = new CountDownLatch(CONNECTIONS);
            for (int i = 0; i < CONNECTIONS; i++) {
                new Thread(() -> ask(container, ended), "caller").start();
            }
            stretch(hangup, file, each, 1); // to get warm, the reading of policies too
            for (AtomicInteger count : counts) {
                count.set(0);
            }
            for (int round = 0; round < rounds; round++) {
                // Whichever comes first is colder.
                stretch(hangup, file, each, round % 2);
                stretch(hangup, file, each, 1 - round % 2);
            }
            over.set(true);
            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(lost).isEmpty();
            assertThat(served.get()).isPositive();
            double without = percentile(0);
            double with = percentile(1);
            System.out.printf(
                    "%s: %d requests, %d reloads of %d endpoints; 99th percentile %.3f ms without, %.3f ms with: %.2f%n",
                    kind, served.get(), reloads, ENDPOINTS, without / 1e6, with / 1e6, with / without);
            return with / without;
        } finally {
            over.set(true);
        }
    }

    /** @param reload 1: the policy is read once meanwhile; 0: it is not */
    private void stretch(Hangup hangup, Path file, Duration length, int reload) throws Exception {
        set = reload;
        long until = System.nanoTime() + length.toNanos();
        if (reload == 1) {
            Instant before = hangup.policy().loadedAt();
            Files.writeString(file, document(++reloads));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> !hangup.policy().loadedAt().equals(before));
        }
        Thread.sleep(Math.max(0, (until - System.nanoTime()) / 1_000_000));
    }

    /** At its own pace, whatever the server's: who is late counts from when it should have asked. */
    private void ask(Container container, CountDownLatch ended) {
        long due = System.nanoTime();
        try {
            while (!over.get()) {
                try (RawClient client = RawClient.connect(container)) {
                    due = ask(client, due);
                }
            }
        } catch (IOException | RuntimeException e) {
            lost.add(e);
        } finally {
            ended.countDown();
        }
    }

    /** Over one connection, of which Tomcat takes a hundred requests. */
    private long ask(RawClient client, long first) throws IOException {
        long pause = TimeUnit.SECONDS.toNanos(1) * CONNECTIONS / PER_SECOND;
        long due = first;
        for (int i = 0; i < PER_CONNECTION && !over.get(); i++) {
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            int mine = set;
            if (!client.get("/api/v77/thing4077/" + i).response().body().equals("served")) {
                throw new IOException("another answer");
            }
            int at = counts[mine].getAndIncrement();
            if (at < nanos[mine].length) {
                nanos[mine][at] = System.nanoTime() - due;
            }
            served.incrementAndGet();
            due += pause;
        }
        return due;
    }

    private double percentile(int which) {
        long[] all = Arrays.copyOf(nanos[which], Math.min(counts[which].get(), nanos[which].length));
        Arrays.sort(all);
        return all[(int) (all.length * 0.99)];
    }

    private static String document(int version) {
        StringBuilder yaml = new StringBuilder("deadlines:\n  endpoints:\n");
        for (int i = 0; i < ENDPOINTS; i++) {
            yaml.append("    \"GET /api/v")
                    .append(i % 100)
                    .append("/thing")
                    .append(i)
                    .append("/{id}\": { normal: ");
            yaml.append(30 + version % 2).append("s }\n");
        }
        return yaml.toString();
    }
}
