package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A connection that carries call after call is watched anew each time, and let go of each time. */
final class KeepAliveIT {

    private static final long SEED = 500;
    private static final Duration GRACE = Duration.ofMillis(20);
    /** Tomcat closes a connection after 100. */
    private static final int PER_CONNECTION = 50;

    @EachContainer
    void reuseWithPausesAroundTheGraceIsNeverADeparture(ContainerKind kind) throws Exception {
        int clients = 10;
        int requests = 50;
        Ledger ledger = new Ledger();
        try (Hangup hangup = hangup(GRACE, ledger);
                Container container = kind.start(site(hangup))) {
            Crowd.of(clients, client -> {
                Random random = new Random(SEED + client);
                try (RawClient connection = RawClient.connect(container)) {
                    for (int i = 0; i < requests; i++) {
                        String name = client + "-" + i;
                        connection.get("/task/" + name + "?" + random.nextInt(40));
                        assertThat(connection.response().body()).isEqualTo(name);
                        Thread.sleep(random.nextInt(40));
                    }
                }
            });
            assertThat(ledger.ended(Outcome.COMPLETED)).as("%s", ledger).isEqualTo(clients * requests);
            assertThat(ledger.ended()).isEqualTo(clients * requests);
            assertThat(ledger.departures()).isZero();
        }
    }

    /** A channel that our selector does not let go of keeps its descriptor after it is closed. */
    @EachContainer
    @EnabledOnOs(OS.LINUX)
    void noDescriptorIsLeftOpen(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        try (Hangup hangup = hangup(Duration.ZERO, ledger);
                Container container = kind.start(site(hangup))) {
            converse(container, 4, 10);
            depart(container, 8, 2);
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(56));
            long before = descriptors();

            converse(container, 8, 250);
            depart(container, 8, 25);
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(56 + 2_200));
            assertThat(ledger.departures()).isEqualTo(216);
            await().untilAsserted(() -> assertThat(descriptors()).isLessThanOrEqualTo(before + 2));
        }
    }

    private static void converse(Container container, int clients, int requests) throws InterruptedException {
        Crowd.of(clients, client -> {
            for (int i = 0; i < requests; i += PER_CONNECTION) {
                try (RawClient connection = RawClient.connect(container)) {
                    for (int j = i; j < Math.min(requests, i + PER_CONNECTION); j++) {
                        assertThat(connection.get("/task/x?8").response().body())
                                .isEqualTo("x");
                    }
                }
            }
        });
    }

    private static void depart(Container container, int clients, int times) throws InterruptedException {
        Crowd.of(clients, client -> {
            for (int i = 0; i < times; i++) {
                RawClient connection = RawClient.connect(container).get("/task/x?30000");
                Thread.sleep(10);
                if (i % 2 == 0) {
                    connection.close();
                } else {
                    connection.rst();
                }
            }
        });
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static Hangup hangup(Duration grace, Ledger ledger) {
        return Hangup.builder()
                .policy(Policy.builder()
                        .settings(Settings.DEFAULTS.withGrace(grace))
                        .endpoint("GET /task/{name}", Entry.of(Mode.CANCEL))
                        .build())
                .listener(ledger)
                .build();
    }

    private static Site site(Hangup hangup) {
        return new Site().filter(new HangupFilter(hangup)).servlet("/task/*", new LambdaServlet((request, response) -> {
            Thread.sleep(Integer.parseInt(request.getQueryString()));
            response.getOutputStream().print(request.getPathInfo().substring(1));
        }));
    }
}
