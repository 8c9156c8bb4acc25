package dev.hangup.it.jersey;

import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Stage;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.CompletionCallback;
import jakarta.ws.rs.container.ConnectionCallback;
import jakarta.ws.rs.container.Suspended;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.DisplayName;

/** A suspended response learns of its caller's departure without writing to it. */
@EachLine
@DisplayName("case 13: ConnectionCallback.onDisconnect is called once, whichever way it was registered")
final class Case13IT {
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /cancelled", Entry.of(Mode.CANCEL))
            .endpoint("GET /observed", Entry.of(Mode.OBSERVE))
            .build();

    /** What callbacks were told, by the class or the name of each. */
    private static final Map<String, Queue<Object>> TOLD = new ConcurrentHashMap<>();

    private static void tell(String who, Object what) {
        TOLD.computeIfAbsent(who, name -> new ConcurrentLinkedQueue<>()).add(what);
    }

    private static int told(String who) {
        return TOLD.getOrDefault(who, new ConcurrentLinkedQueue<>()).size();
    }

    /** Registered by its class, and so made by Jersey. */
    public static final class ByClass implements ConnectionCallback {
        @Override
        public void onDisconnect(AsyncResponse response) {
            tell("class", response);
        }
    }

    /** Both kinds in one. */
    public static final class Both implements ConnectionCallback, CompletionCallback {
        @Override
        public void onDisconnect(AsyncResponse response) {
            tell("both", response);
        }

        @Override
        public void onComplete(Throwable failure) {
            tell("completed", String.valueOf(failure));
        }
    }

    /** Keeps every response that it suspends, and answers none. */
    @Path("/{mode}")
    public static final class Suspends {
        static final Queue<AsyncResponse> SUSPENDED = new ConcurrentLinkedQueue<>();
        static final Queue<Object> CONTRACTS = new ConcurrentLinkedQueue<>();

        @GET
        public void suspend(@Suspended AsyncResponse response) {
            CONTRACTS.add(response.register((ConnectionCallback) told -> tell("instance", told)));
            CONTRACTS.add(response.register((ConnectionCallback) told -> {
                throw new IllegalStateException("on purpose");
            }));
            response.register((ConnectionCallback) told -> {
                throw new AssertionError("on purpose");
            });
            CONTRACTS.add(response.register(ByClass.class));
            CONTRACTS.add(response.register(new Both(), (ConnectionCallback) told -> tell("second of several", told)));
            SUSPENDED.add(response);
        }
    }

    @EachContainer
    void eachIsToldOnceAndTheResponseTellsTheTruth(ContainerKind kind) throws Exception {
        for (String mode : List.of("cancelled", "observed")) {
            TOLD.clear();
            Suspends.SUSPENDED.clear();
            Suspends.CONTRACTS.clear();
            boolean cancels = mode.equals("cancelled");
            try (Stage stage = Stage.start(kind, POLICY, JerseySite.of("/*", new ResourceConfig(Suspends.class)));
                    Logged logged = Logged.begin()) {
                RawClient caller = stage.client().get("/" + mode);
                await().until(() -> Suspends.SUSPENDED.size() == 1);
                AsyncResponse response = Suspends.SUSPENDED.remove();
                assertThat(response.isSuspended()).isTrue();
                assertThat(response.isDone() || response.isCancelled()).isFalse();

                long left = System.nanoTime();
                caller.close();
                await().untilAsserted(() -> assertThat(
                                List.of(told("instance"), told("class"), told("both"), told("second of several")))
                        .containsOnly(1));
                System.out.printf(
                        "%s %s: all callbacks told after %d ms%n",
                        kind, mode, Duration.ofNanos(System.nanoTime() - left).toMillis());
                assertThat(TOLD.get("instance")).containsExactly(response);
                assertContracts();

                assertThat(response.isCancelled()).isEqualTo(cancels);
                assertThat(response.isDone()).isEqualTo(cancels);
                assertThat(response.isSuspended()).isEqualTo(!cancels);
                assertThat(response.resume("an answer")).isEqualTo(!cancels);
                await().untilAsserted(() -> assertThat(response.isDone()).isTrue());
                assertThat(response.resume(new IllegalStateException("later"))).isFalse();
                assertThat(response.isCancelled()).isEqualTo(cancels);
                assertThat(response.cancel()).isEqualTo(cancels);

                String outcome = cancels ? "cancelled" : "would_cancel";
                await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total", outcome(outcome)))
                        .isEqualTo(1));
                await().untilAsserted(() ->
                        assertThat(stage.scrape().momentary().values()).containsOnly(0.0));
                await().untilAsserted(() -> assertThat(told("completed")).isEqualTo(1));
                response.register((ConnectionCallback) told -> tell("late", told));
                assertThat(told("late")).isEqualTo(1);
                assertThat(List.of(told("instance"), told("class"), told("both"), told("second of several")))
                        .containsOnly(1);
                assertThat(logged.alarms()).hasSize(2).allMatch(alarm -> alarm.contains("on purpose"));
            }
        }
    }

    private static void assertContracts() {
        List<Object> contracts = List.copyOf(Suspends.CONTRACTS);
        assertThat(contracts.subList(0, 3)).containsOnly(List.of(ConnectionCallback.class));
        assertThat((Map<?, ?>) contracts.get(3)).hasSize(2);
        assertThat(((Map<?, ?>) contracts.get(3)).get(Both.class))
                .asInstanceOf(InstanceOfAssertFactories.COLLECTION)
                .containsExactlyInAnyOrder(CompletionCallback.class, ConnectionCallback.class);
    }

    @EachContainer
    void aResponseThatIsAnsweredTellsNobody(ContainerKind kind) throws Exception {
        TOLD.clear();
        Suspends.SUSPENDED.clear();
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of(Suspends.class));
                Logged logged = Logged.begin()) {
            for (String mode : List.of("cancelled", "observed")) {
                try (RawClient caller = stage.client().get("/" + mode)) {
                    await().until(() -> Suspends.SUSPENDED.size() == 1);
                    AsyncResponse response = Suspends.SUSPENDED.remove();
                    assertThat(response.resume("an answer")).isTrue();
                    assertThat(caller.response().body()).isEqualTo("an answer");
                    assertThat(response.isDone()).isTrue();
                    assertThat(response.isCancelled()).isFalse();
                    assertThat(response.resume("another")).isFalse();
                    assertThatThrownBy(() -> response.register((Object) null)).isInstanceOf(NullPointerException.class);
                    // Before it hangs up: an observed call is not known to be answered until the container says that it
                    // is over.
                    int all = mode.equals("cancelled") ? 1 : 2;
                    await().untilAsserted(
                                    () -> assertThat(stage.scrape().count("hangup_calls_total", outcome("completed")))
                                            .isEqualTo(all));
                }
            }
            await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total", outcome("completed")))
                    .isEqualTo(2));
            assertThat(TOLD.keySet()).containsOnly("completed");
            logged.assertNoAlarms();
        }
    }
}
