package dev.hangup.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes meters, in all registries that are bound now or later. Its lock is taken when a meter is made and when a registry
 * comes or goes; never by a scrape, and never by a request whose meters exist.
 *
 * <p>Race: Micrometer's composite forgets a meter that is made at the very moment in which a registry is added; hence the
 * lock around both.
 */
final class Meters {
    static final String SECONDS = "seconds";

    private final CompositeMeterRegistry all = new CompositeMeterRegistry();

    synchronized void bindTo(MeterRegistry registry) {
        all.add(registry);
    }

    /** The registries by their names, {@code global} with those that have joined it so far. */
    String describe() {
        return names(all);
    }

    private static String names(CompositeMeterRegistry composite) {
        String names = composite.getRegistries().stream()
                .map(registry -> registry == Metrics.globalRegistry
                        ? "global (" + names(Metrics.globalRegistry) + ")"
                        : registry.getClass().getSimpleName())
                .sorted()
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "none yet" : names;
    }

    /** Takes every meter out of every registry. Meters made afterwards go nowhere. */
    synchronized void close() {
        all.clear();
        List.copyOf(all.getRegistries()).forEach(all::remove);
    }

    /** The gauge holds {@code state} strongly: it never reads NaN because somebody forgot who it belongs to. */
    synchronized <T> void gauge(
            String name, @Nullable String unit, Tags tags, String meaning, T state, ToDoubleFunction<T> value) {
        Gauge.builder(name, state, value)
                .baseUnit(unit)
                .tags(tags)
                .description(meaning)
                .strongReference(true)
                .register(all);
    }

    /** A counter of what {@code state} says; {@code value} must never fall. The caller holds {@code state}. */
    synchronized <T> void counter(
            String name, @Nullable String unit, Tags tags, String meaning, T state, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, state, value)
                .baseUnit(unit)
                .tags(tags)
                .description(meaning)
                .register(all);
    }

    /** A counter and what it counts with. */
    LongAdder counter(String name, Tags tags, String meaning) {
        LongAdder counted = new LongAdder();
        counter(name, null, tags, meaning, counted, LongAdder::sum);
        return counted;
    }

    /** A histogram with the fixed bounds; asked twice for the same, it returns the same. */
    synchronized Timer histogram(String name, Tags tags, String meaning) {
        return Timer.builder(name)
                .tags(tags)
                .description(meaning)
                .serviceLevelObjectives(Buckets.bounds())
                .register(all);
    }

    static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
