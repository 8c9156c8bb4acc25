package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallListener;
import dev.hangup.call.EndpointView;
import dev.hangup.call.Pool;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.metrics.HangupMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ListenersTest {
    @Test
    void everyEventIsPassedOn() throws NoSuchMethodException {
        for (Method event : CallListener.class.getDeclaredMethods()) {
            if (!Modifier.isStatic(event.getModifiers()) && !event.isSynthetic()) {
                assertThat(Listeners.class
                                .getMethod(event.getName(), event.getParameterTypes())
                                .getDeclaringClass())
                        .as(event.getName())
                        .isEqualTo(Listeners.class);
            }
        }
    }

    @Test
    void oneThatFailsKeepsNobodyElseFromHearing() {
        List<String> heard = new ArrayList<>();
        CallListener failing = new CallListener() {
            @Override
            public void policyLoaded(double epochSeconds) {
                throw new AssertionError("on purpose");
            }

            @Override
            public void endpointKnown(EndpointView endpoint) {
                throw new NoClassDefFoundError("on purpose");
            }
        };
        CallListener hearing = new CallListener() {
            @Override
            public void policyLoaded(double epochSeconds) {
                heard.add("loaded " + epochSeconds);
            }

            @Override
            public void transaction(Pool pool, TransactionOutcome outcome) {
                heard.add(outcome.name());
            }
        };
        Listeners all = Listeners.of(List.of(failing, hearing));
        all.policyLoaded(1.5);
        all.close();
        assertThat(heard).containsExactly("loaded 1.5");
    }

    @Test
    void metricsAreFoundWhereNoneAreGivenAndLeaveWithTheEngine() {
        SimpleMeterRegistry global = new SimpleMeterRegistry();
        Metrics.addRegistry(global);
        try {
            Listeners all = Listeners.of(List.of(new CallListener() {}));
            assertThat(all.describe()).endsWith(", registry global (SimpleMeterRegistry)");
            all.endpointKnown(new View());
            assertThat(ours(global)).isNotNull();
            all.close();
            assertThat(ours(global)).isNull();
        } finally {
            Metrics.removeRegistry(global);
        }
    }

    @Test
    void metricsThatAreGivenStandAloneAndStay() {
        SimpleMeterRegistry global = new SimpleMeterRegistry();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Metrics.addRegistry(global);
        try {
            HangupMetrics given = new HangupMetrics();
            given.bindTo(registry);
            Listeners all = Listeners.of(List.of(given));
            assertThat(all.describe()).isEqualTo("registry SimpleMeterRegistry");
            all.endpointKnown(new View());
            assertThat(ours(registry)).isNotNull();
            assertThat(ours(global)).isNull();
            all.close();
            assertThat(ours(registry)).isNotNull();
        } finally {
            Metrics.removeRegistry(global);
        }
    }

    private static @Nullable Gauge ours(MeterRegistry registry) {
        return registry.find("hangup.deadline").tag("endpoint", "GET /here").gauge();
    }

    private record View() implements EndpointView {
        @Override
        public String endpoint() {
            return "GET /here";
        }

        @Override
        public Duration deadline() {
            return Duration.ofSeconds(1);
        }

        @Override
        public boolean cancels() {
            return false;
        }
    }
}
