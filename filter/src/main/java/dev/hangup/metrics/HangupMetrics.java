package dev.hangup.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;

/**
 * What Hangup counts, in the registries of the application's choice:
 *
 * <pre>{@code
 * HangupMetrics metrics = new HangupMetrics();
 * metrics.bindTo(registry);
 * Hangup hangup = Hangup.builder().listener(metrics).build();
 * }</pre>
 *
 * It may be bound to several registries, before or after calls were counted, and listen to several engines, whose numbers are
 * then added up; but a registry takes one of these only, because meters of the same name are one meter to it. Histograms begin
 * with the first registry; counters and gauges know all that was heard. Bound to a registry it stays in it until
 * {@link #close()}. All methods may be called by any thread.
 *
 * <p>Counters of seconds rise while the work goes on, whenever they are read. Gauges read 0 when nothing is unowned, are never
 * NaN or negative, and keep no reference to a call that has ended. A scrape takes no lock of ours that a request takes.
 */
public final class HangupMetrics extends CallMetrics implements MeterBinder {
    /** Bound to no registry yet. */
    public HangupMetrics() {
        super(List.of());
    }

    /** Publishes all meters, those to come too, in {@code registry}. Binding the same registry again does nothing. */
    @Override
    public void bindTo(MeterRegistry registry) {
        meters.bindTo(registry);
    }
}
