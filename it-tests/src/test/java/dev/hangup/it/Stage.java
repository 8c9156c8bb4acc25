package dev.hangup.it;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.metrics.HangupMetrics;
import dev.hangup.policy.Policy;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;

/** A running container with Hangup in front of the application, a {@link Turnstile} in front of Hangup, and Hangup's metrics. */
public final class Stage implements AutoCloseable {

    public final Turnstile turnstile = new Turnstile();
    public final Hangup hangup;
    public final Container container;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private Stage(ContainerKind kind, Policy policy, Site site) {
        HangupMetrics metrics = new HangupMetrics();
        metrics.bindTo(registry);
        hangup = Hangup.builder().policy(policy).listener(metrics).build();
        try {
            container = kind.start(site.filter(turnstile).filter(new HangupFilter(hangup)));
        } catch (RuntimeException e) {
            hangup.close();
            throw e;
        }
    }

    /** Starts the site's servlets behind Hangup; further filters of the site come before ours. */
    public static Stage start(ContainerKind kind, Policy policy, Site site) {
        return new Stage(kind, policy, site);
    }

    public RawClient client() throws IOException {
        return RawClient.connect(container);
    }

    public Scrape scrape() {
        return Scrape.parse(registry.scrape());
    }

    @Override
    public void close() {
        container.close();
        hangup.close();
        registry.close();
    }
}
