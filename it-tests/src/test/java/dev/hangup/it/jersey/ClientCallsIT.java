package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.CallCancelledException;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.Downstream;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.LambdaServlet;
import dev.hangup.it.RawClient;
import dev.hangup.it.Site;
import dev.hangup.it.Stage;
import dev.hangup.jersey.CallerAwareClientFilter;
import dev.hangup.jersey.CallerAwareConnectorProvider;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import dev.hangup.policy.SourceTimeoutException;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.glassfish.jersey.client.ClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What a Jersey client sends for a call has the call's time, and stops with it, as whoever was asked can see. */
@EachLine
final class ClientCallsIT {

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                    deadlines:
                      endpoints:
                        "GET /page":  { mode: cancel, normal: 30s }
                        "GET /short": { mode: cancel, normal: 1s }
                    """).policy();

    private final Client client = ClientBuilder.newClient(new ClientConfig()
            .connectorProvider(new CallerAwareConnectorProvider())
            .register(new CallerAwareClientFilter(() -> POLICY)));
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private Downstream source;

    /** How an application asks. */
    private enum Way {
        SYNC {
            @Override
            String ask(Client client, Downstream source, String path) {
                return client.target(source.at(path)).request().get(String.class);
            }
        },
        STREAM {
            @Override
            String ask(Client client, Downstream source, String path) throws IOException {
                try (InputStream body = client.target(source.at(path)).request().get(InputStream.class)) {
                    return new String(body.readAllBytes(), StandardCharsets.UTF_8);
                }
            }
        },
        ASYNC {
            @Override
            String ask(Client client, Downstream source, String path) throws Exception {
                return unwrapped(() -> client.target(source.at(path))
                        .request()
                        .async()
                        .get(String.class)
                        .get());
            }
        },
        RX {
            @Override
            String ask(Client client, Downstream source, String path) throws Exception {
                return unwrapped(() -> client.target(source.at(path))
                        .request()
                        .rx()
                        .get(String.class)
                        .toCompletableFuture()
                        .get());
            }
        };

        abstract String ask(Client client, Downstream source, String path) throws Exception;

        /** Waits as somebody does whom nobody interrupts, so that only the request itself can end. */
        static String unwrapped(Callable<String> waiting) throws Exception {
            try {
                return Call.current().shield(waiting);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof ProcessingException failed ? failed : e;
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        source = new Downstream();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        source.close();
    }

    private Site site() {
        LambdaServlet page = new LambdaServlet((request, response) -> {
            try {
                response.getWriter()
                        .print(Way.valueOf(request.getHeader("Way"))
                                .ask(client, source, String.valueOf(request.getHeader("Ask"))));
            } catch (IOException | RuntimeException e) {
                failures.add(e);
                throw e;
            }
        });
        return new Site().servlet("/page", page).servlet("/short", page);
    }

    private static String[] asking(Way way, String path) {
        return new String[] {"Way: " + way, "Ask: " + path};
    }

    private static ConditionFactory soon() {
        return await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(3));
    }

    @EachContainer
    void whoeverIsAskedSeesTheCallersDeparture(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            int asked = 0;
            for (Way way : Way.values()) {
                for (String path : new String[] {"/silent", "/body"}) {
                    RawClient leaving = stage.client();
                    leaving.get("/page", asking(way, path));
                    int now = ++asked;
                    await().untilAsserted(() -> assertThat(source.asked).hasSize(now));
                    assertThat(source.left).hasValue(now - 1);
                    leaving.close();
                    soon().untilAsserted(() ->
                            assertThat(source.left).as(way + " " + path).hasValue(now));
                    await().untilAsserted(() -> assertThat(failures).hasSize(now));
                }
            }
            assertThat(failures).allSatisfy(failure -> assertThat(failure)
                    .satisfiesAnyOf(
                            direct -> assertThat(direct).isInstanceOf(CallCancelledException.class),
                            wrapped -> assertThat(wrapped).hasRootCauseInstanceOf(CallCancelledException.class)));
        }
    }

    @EachContainer
    void theDeadlineIsToldAndEndsTheRequest(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            for (Way way : List.of(Way.SYNC, Way.ASYNC)) {
                source.asked.clear();
                int before = source.left.get();
                RawClient waiting = stage.client();
                waiting.get("/short", asking(way, "/silent"));
                assertThat(waiting.response().status()).isEqualTo(504);
                waiting.close();
                await().untilAsserted(() -> assertThat(source.left).hasValue(before + 1));
                assertThat(source.asked.get(0))
                        .filteredOn(line -> line.startsWith("x-request-timeout-ms: "))
                        .singleElement()
                        .satisfies(line -> assertThat(Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                                .isBetween(1L, 1_000L));
            }
        }
    }

    @EachContainer
    void aCancelledCallAsksNobody(ContainerKind kind) throws Exception {
        LambdaServlet page = new LambdaServlet((request, response) -> {
            Call.current().cancel();
            for (Way way : Way.values()) {
                try {
                    way.ask(client, source, "/after/0");
                } catch (ProcessingException | CallCancelledException e) {
                    failures.add(e);
                }
            }
        });
        try (Stage stage = Stage.start(kind, POLICY, new Site().servlet("/page", page))) {
            RawClient.ask(stage.container, "/page");
            assertThat(failures).hasSize(Way.values().length);
            assertThat(source.asked).isEmpty();
        }
    }

    @EachContainer
    void noTimeLeftAsksNobody(ContainerKind kind) throws Exception {
        Policy observing = PolicyFile.parse("hangup.yaml", """
                        deadlines:
                          endpoints:
                            "GET /page":  { mode: observe, normal: 50ms }
                        """).policy();
        LambdaServlet page = new LambdaServlet((request, response) -> {
            TimeUnit.MILLISECONDS.sleep(100);
            try {
                Way.SYNC.ask(client, source, "/after/0");
            } catch (ProcessingException e) {
                failures.add(e);
            }
        });
        try (Stage stage = Stage.start(kind, observing, new Site().servlet("/page", page))) {
            RawClient.ask(stage.container, "/page");
            assertThat(failures).singleElement().satisfies(refused -> assertThat(refused)
                    .hasCauseInstanceOf(SourceTimeoutException.class)
                    .hasMessageContaining(
                            "127.0.0.1 was not asked: no time is left of the call's deadline (window normal)"));
            assertThat(source.asked).isEmpty();
        }
    }
}
