package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CallerAware;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A call whose route is known some time after it has begun. */
final class RouteTest {

    @CallerAware
    private static final class Annotated {}

    private final AtomicReference<Instant> clock = new AtomicReference<>(Instant.parse("2028-03-01T10:07:59.999Z"));

    private final Policy policy = PolicyFile.parse("hangup.yaml", """
                    windows: { spike_00: { minutes: 0-7 } }
                    deadlines:
                      defaults: { normal: 30s, spike_00: 45s }
                    """).policy(clock::get);

    @Test
    void keepsTheWindowInWhichItBegan() throws InterruptedException {
        Route route = new Routes()
                .route("GET /reports/{id}", Objects.requireNonNull(Annotated.class.getAnnotation(CallerAware.class)));
        Rule found = policy.ruleFor("GET", "/reports/7");
        CallScope call =
                CallScope.begin(new Idle(), "GET", found.endpoint(), found.treatment(), found.deadline(), false, null);
        try {
            Thread.sleep(30); // filters, on the way to the framework
            clock.set(Instant.parse("2028-03-01T10:08:00.005Z"));
            route.reached(call, policy);
            assertThat(call.endpoint()).isEqualTo("GET /reports/{id}");
            assertThat(call.deadline().remaining()).isGreaterThan(Duration.ofSeconds(31));
        } finally {
            call.leave();
            call.responseOver();
        }
    }

    /** What the filter took it for is not said any more, unless it is cancelled, and so counted, as that. */
    @Test
    void whoeverMissesEachEndpointHasWhatThePolicySays() {
        Policy entries = Policy.builder()
                .endpoint("GET /named", Entry.INHERITED.normal(Duration.ofSeconds(5)))
                .build();
        CallerAware annotation = Objects.requireNonNull(Annotated.class.getAnnotation(CallerAware.class));
        assertThat(missed(entries, entries.annotated(entries.ruleFor("GET", "/a"), "GET /{id}", annotation), false))
                .isEqualTo("UNMATCHED false");
        assertThat(missed(entries, entries.annotated(entries.ruleFor("GET", "/named"), "GET /{id}", annotation), false))
                .isEqualTo("GET /named false");
        assertThat(missed(entries, entries.annotated(entries.ruleFor("GET", "/a"), "GET /{id}", annotation), true))
                .isEqualTo("GET /{id} true");
    }

    private static String missed(Policy policy, Rule taken, boolean cancelled) {
        CallScope call =
                CallScope.begin(new Idle(), "GET", taken.endpoint(), taken.treatment(), taken.deadline(), false, null);
        try {
            if (cancelled) {
                call.cancel();
            }
            Route.missed(call, policy, "GET");
            return call.endpoint() + " " + call.treatment().cancels();
        } finally {
            call.leave();
            call.responseOver();
        }
    }

    /** An engine in which nothing happens. */
    private static final class Idle implements CallRuntime {
        @Override
        public Executor canceller() {
            return task -> {};
        }

        @Override
        public void at(long nanoTime, Runnable task) {}

        @Override
        public CallListener listener() {
            return new CallListener() {};
        }

        @Override
        public void began(CallScope call) {}
    }
}
