package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Site;
import dev.hangup.it.Stage;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Tag;

/**
 * Listeners to server-sent events hang up in the middle of them, while others listen on and others again ask over connections that
 * they keep. Every byte says whose it is: nobody gets a stranger's. Containers hand the objects of a broken connection to the next.
 * Nothing is kept of those who have left, and Hangup says nothing of them.
 */
@EachLine
final class SseStrangersIT {
    private static final int AT_ONCE = 16;
    private static final Pattern DATA = Pattern.compile("data: ([^\r\n]*)\n");

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /events/{who}", Entry.of(Mode.CANCEL).normal(Duration.ofMinutes(10)))
            .endpoint("GET /answers/{who}", Entry.of(Mode.CANCEL).normal(Duration.ofMinutes(1)))
            .build();

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger answers = new AtomicInteger();
    private final Map<String, AtomicInteger> events = new ConcurrentHashMap<>();

    /** Sends events from threads of its own until the sink is closed. */
    @Path("/")
    public static final class Resource {
        static final ExecutorService SENDERS = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "sender");
            thread.setDaemon(true);
            return thread;
        });

        @GET
        @Path("events/{who}")
        @Produces(MediaType.SERVER_SENT_EVENTS)
        public void listen(@PathParam("who") String who, @Context SseEventSink sink, @Context Sse sse) {
            SENDERS.execute(() -> {
                try {
                    for (int n = 0; !sink.isClosed(); n++) {
                        sink.send(sse.newEvent(who + " " + n));
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                    }
                } catch (IllegalStateException closed) {
                    assertThat(sink.isClosed()).isTrue(); // since it was asked
                }
            });
        }

        @GET
        @Path("answers/{who}")
        public String answer(@PathParam("who") String who) {
            return (who + " ").repeat(500);
        }
    }

    @EachContainer
    void getNothingThatIsNotTheirs(ContainerKind kind) throws Exception {
        run(kind, 300);
    }

    @Tag("soak")
    @EachContainer
    void getNothingThatIsNotTheirsInTenThousandDepartures(ContainerKind kind) throws Exception {
        run(kind, 10_000);
    }

    private void run(ContainerKind kind, int departures) throws Exception {
        long seed = System.nanoTime();
        Site site = JerseySite.with(new Site().maxThreads(60), "/*", new ResourceConfig(Resource.class));
        ExecutorService callers = Executors.newCachedThreadPool();
        long before = HeldContexts.count();
        try (Stage stage = Stage.start(kind, POLICY, site);
                Logged logged = Logged.informing()) {
            List<Future<?>> staying = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String who = "stays" + i;
                staying.add(callers.submit(() -> told(() -> listen(stage, who))));
                staying.add(callers.submit(() -> told(() -> ask(stage, "asks-" + who))));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> events.size() == 4 && answers.get() > 0);

            AtomicInteger next = new AtomicInteger();
            List<Future<?>> leaving = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                Random random = new Random(seed + i);
                leaving.add(callers.submit(() -> told(() -> {
                    for (int n = next.getAndIncrement(); n < departures; n = next.getAndIncrement()) {
                        leave(stage, "leaves" + n, random);
                    }
                })));
            }
            for (Future<?> each : leaving) {
                each.get(10, TimeUnit.MINUTES);
            }
            over.set(true);
            for (Future<?> each : staying) {
                each.get(1, TimeUnit.MINUTES);
            }
            assertThat(wrong).as("seed %d", seed).isEmpty();
            assertThat(events.values()).as("events").allMatch(count -> count.get() > 5);
            System.out.printf(
                    "%s: %d departures, meanwhile %d answers and events %s (seed %d)%n",
                    kind, departures, answers.get(), events.values(), seed);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() ->
                            assertThat(stage.scrape().momentary().values()).containsOnly(0.0));
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(HeldContexts.count()).isLessThanOrEqualTo(before + AT_ONCE));
            assertThat(logged.above(Level.FINE)).noneMatch(line -> line.contains(" dev.hangup: "));
        } finally {
            over.set(true);
            callers.shutdownNow();
        }
    }

    private interface Caller {
        void call() throws Exception;
    }

    private void told(Caller caller) {
        try {
            caller.call();
        } catch (Exception e) {
            wrong.add(e.toString());
        }
    }

    /** Reads to the end, and then hangs up itself. */
    private void listen(Stage stage, String who) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(uri(stage, "/events/" + who)).build();
        HttpClient client = HttpClient.newHttpClient();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                client.send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
            int expected = 0;
            while (!over.get()) {
                String line = lines.readLine();
                if (line == null || !(line.isEmpty() || line.equals("data: " + who + " " + expected))) {
                    wrong.add(who + " expects " + expected + ", and is told: " + line);
                    return;
                }
                expected += line.isEmpty() ? 0 : 1;
                events.computeIfAbsent(who, fresh -> new AtomicInteger()).set(expected);
            }
        }
    }

    private void ask(Stage stage, String who) throws Exception {
        while (!over.get()) {
            try (RawClient client = stage.client()) {
                for (int n = 0; n < 50 && !over.get(); n++) {
                    String mine = who + "-" + n;
                    String body = client.get("/answers/" + mine).response().body();
                    if (!body.equals((mine + " ").repeat(500))) {
                        wrong.add(mine + " is answered: " + body);
                    }
                    answers.incrementAndGet();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }
        }
    }

    /** At once, or after the first events. */
    private void leave(Stage stage, String who, Random random) throws Exception {
        RawClient client = stage.client().get("/events/" + who);
        long patience = random.nextInt(4) == 0 ? 0 : random.nextInt(20);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(patience));
        String heard = client.heard();
        Matcher data = DATA.matcher(heard);
        while (data.find()) {
            if (!data.group(1).startsWith(who + " ")) {
                wrong.add(who + " is told: " + data.group(1));
            }
        }
        if (random.nextBoolean()) {
            client.close();
        } else {
            client.rst();
        }
    }

    private static URI uri(Stage stage, String path) {
        return URI.create("http://localhost:" + stage.container.port() + path);
    }
}
