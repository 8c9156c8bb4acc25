package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.Call;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** When a deadline passes, whatever the grace is and whoever has moved it meanwhile. */
final class DeadlineIT {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    /** A watch begins after a second, long after the first deadline has passed. */
    @EachContainer
    void shorterThanTheGraceItFiresWithinIt(ContainerKind kind) throws Exception {
        Policy policy = Policy.builder()
                .settings(Settings.DEFAULTS.withGrace(Duration.ofSeconds(5)))
                .endpoint("GET /work", Entry.of(Mode.CANCEL).normal(SHORT))
                .build();
        assertThat(late(kind, policy, () -> {})).isBetween(SHORT, Duration.ofSeconds(3));
    }

    @EachContainer
    void movedNearerItFiresThere(ContainerKind kind) throws Exception {
        assertThat(late(kind, policy(LONG), () -> {
                    Thread.sleep(250); // the watch has begun, and knows the old one
                    refine(Duration.ofMillis(600));
                }))
                .isBetween(Duration.ofMillis(600), Duration.ofSeconds(5));
    }

    @EachContainer
    void movedFartherItFiresThere(ContainerKind kind) throws Exception {
        assertThat(late(kind, policy(SHORT), () -> refine(Duration.ofMillis(900))))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(5));
    }

    private static Policy policy(Duration deadline) {
        return Policy.builder()
                .endpoint("GET /work", Entry.of(Mode.CANCEL).normal(deadline))
                .build();
    }

    private static void refine(Duration deadline) {
        CallScope call = Objects.requireNonNull(CallScope.current());
        call.refine(call.endpoint(), call.treatment(), deadline);
    }

    private interface Step {
        void run() throws Exception;
    }

    /** How old the call was when its worker heard of the deadline. */
    private static Duration late(ContainerKind kind, Policy policy, Step step) throws Exception {
        Duration[] age = new Duration[1];
        Site site = new Site().servlet("/work", new LambdaServlet((request, response) -> {
            step.run();
            try {
                new CountDownLatch(1).await(LONG.toSeconds(), TimeUnit.SECONDS);
            } finally {
                age[0] = Call.current().elapsed();
                assertThat(Call.current().cancelReason()).contains(CancelReason.ENDPOINT_DEADLINE);
            }
        }));
        try (Stage stage = Stage.start(kind, policy, site);
                RawClient client = stage.client()) {
            assertThat(client.get("/work").response().status()).isEqualTo(504);
        }
        return age[0];
    }
}
