package dev.hangup.metrics;

import static dev.hangup.metrics.TestRuntime.CANCELLED;
import static dev.hangup.metrics.TestRuntime.end;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** Where meters go: to all registries that were given, to the global one, or, without Micrometer, nowhere. */
final class RegistriesTest {
    private static final String ENDED = "hangup_calls_total{endpoint=\"GET /work\",outcome=\"cancelled\"}";
    private static final String PATIENCE = "hangup_caller_patience_seconds_count{endpoint=\"GET /work\"}";

    @Test
    void severalRegistriesSeeTheSame() {
        HangupMetrics metrics = new HangupMetrics();
        PrometheusMeterRegistry one = registry();
        PrometheusMeterRegistry two = registry();
        metrics.bindTo(one);
        metrics.bindTo(two);
        callerLeaves(metrics);

        assertThat(Scrape.of(one).value(ENDED)).isEqualTo(1);
        assertThat(Scrape.of(two).value(ENDED)).isEqualTo(1);
        assertThat(Scrape.of(one).value(PATIENCE)).isEqualTo(1);
        assertThat(Scrape.of(two).value(PATIENCE)).isEqualTo(1);
    }

    @Test
    void aRegistryThatComesLateKnowsTheCounters() {
        HangupMetrics metrics = new HangupMetrics();
        callerLeaves(metrics);
        PrometheusMeterRegistry late = registry();
        metrics.bindTo(late);
        callerLeaves(metrics);

        assertThat(Scrape.of(late).value(ENDED)).isEqualTo(2);
        assertThat(Scrape.of(late).value(PATIENCE))
                .as("histograms begin with the registry")
                .isEqualTo(1);
    }

    @Test
    void bindingTwiceCountsOnce() {
        HangupMetrics metrics = new HangupMetrics();
        PrometheusMeterRegistry registry = registry();
        CompositeMeterRegistry around = new CompositeMeterRegistry();
        around.add(registry);
        metrics.bindTo(registry);
        metrics.bindTo(registry);
        metrics.bindTo(around);
        callerLeaves(metrics);

        assertThat(Scrape.of(registry).value(ENDED)).isEqualTo(1);
        assertThat(Scrape.of(registry).value(PATIENCE)).isEqualTo(1);
    }

    @Test
    void closingLeavesNothingInTheRegistry() {
        HangupMetrics metrics = new HangupMetrics();
        PrometheusMeterRegistry registry = registry();
        registry.counter("somebody.elses").increment();
        metrics.bindTo(registry);
        callerLeaves(metrics);
        metrics.close();
        callerLeaves(metrics);

        assertThat(Scrape.of(registry).types.keySet()).containsExactly("somebody_elses_total");
    }

    @Test
    void gaugesOutliveTheirBinder() {
        PrometheusMeterRegistry registry = registry();
        HangupMetrics metrics = new HangupMetrics();
        metrics.bindTo(registry);
        metrics.poolKnown(new TestPool("jdbc:main", 10));
        callerLeaves(metrics);
        metrics = null;
        System.gc();

        assertThat(Scrape.of(registry).gauges().values()).isNotEmpty().noneMatch(value -> Double.isNaN(value));
    }

    @Test
    void theServiceLoaderBringsTheGlobalRegistry() {
        PrometheusMeterRegistry registry = registry();
        PrometheusMeterRegistry late = registry();
        Metrics.addRegistry(registry);
        try {
            CallListener found = ServiceLoader.load(CallListener.class).stream()
                    .filter(provider -> provider.type() == CallMetrics.class)
                    .findFirst()
                    .orElseThrow()
                    .get();
            callerLeaves(found);
            Metrics.addRegistry(late);
            assertThat(Scrape.of(registry).value(ENDED)).isEqualTo(1);
            assertThat(Scrape.of(late).value(ENDED)).isEqualTo(1);

            ((CallMetrics) found).close();
            assertThat(Scrape.of(registry).has(ENDED)).isFalse();
            assertThat(Scrape.of(late).has(ENDED)).isFalse();
        } finally {
            Metrics.removeRegistry(registry);
            Metrics.removeRegistry(late);
        }
    }

    /** The errors are those that an engine must expect, and the search goes on after them. */
    @Test
    void withoutMicrometerTheServiceLoaderFindsNothing() throws IOException, ClassNotFoundException {
        try (WithoutMicrometer loader = new WithoutMicrometer()) {
            Class<?> service = loader.loadClass(CallListener.class.getName());
            var providers = ServiceLoader.load(service, loader).iterator();
            Throwable thrown = catchThrowable(() -> {
                while (providers.hasNext()) {
                    assertThat(providers.next().getClass().getName()).doesNotStartWith("dev.hangup.metrics");
                }
            });

            assertThat(thrown).isInstanceOfAny(ServiceConfigurationError.class, LinkageError.class);
            assertThat(providers.hasNext()).isFalse();
        }
    }

    private static void callerLeaves(CallListener listener) {
        try (TestRuntime runtime = new TestRuntime(listener)) {
            CallScope call = runtime.begin("GET /work", CANCELLED);
            call.callerGone(CancelReason.CALLER_CLOSED);
            end(call);
        }
    }

    private static PrometheusMeterRegistry registry() {
        return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    }

    /** The class path of this test, without the jars of Micrometer. */
    private static final class WithoutMicrometer extends URLClassLoader {
        WithoutMicrometer() {
            super(urls(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] urls() {
            return Arrays.stream(System.getProperty("java.class.path").split(System.getProperty("path.separator")))
                    .filter(entry -> !entry.contains("micrometer"))
                    .map(WithoutMicrometer::url)
                    .toArray(URL[]::new);
        }

        private static URL url(String entry) {
            try {
                return java.nio.file.Path.of(entry).toUri().toURL();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
