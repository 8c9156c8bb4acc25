package dev.hangup.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.demo.jersey.ReportService;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.metrics.HangupMetrics;
import dev.hangup.policy.PolicyFile;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * The same application twice, each with a pool of its own: as it is, and with Hangup. What it takes to add Hangup is all in
 * {@link #addWithHangup} and {@code hangup.yaml}.
 */
final class Applications implements AutoCloseable {
    static final String WITHOUT = "/without";
    static final String WITH = "/with";

    /** Slow, and cancelled by Hangup's policy. */
    static final String SLOW = "/reports/";

    /** The same, but not in the policy: Hangup only counts. */
    static final String OBSERVED = "/drafts/";

    static final String FAST = "/orders/";

    private static final String POLICY = "hangup.yaml";
    private static final String POOL = "reports";

    private final Scenario scenario;
    private final Bookkeeper bookkeeper;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Hangup hangup;
    private final HikariDataSource poolWithout;
    private final HikariDataSource poolWith;

    private final Settings.App app;
    private final ExecutorService background = Executors.newCachedThreadPool();

    Applications(Scenario scenario, Ledger ledger, Database database, Settings.App app) {
        this.scenario = scenario;
        this.app = app;
        this.bookkeeper = new Bookkeeper(ledger);
        HangupMetrics metrics = new HangupMetrics();
        metrics.bindTo(registry);
        hangup = Hangup.builder().policyFile(policy()).listener(metrics).build();
        database.execute(ReportDesk.TABLE);
        poolWithout = database.pool("without", scenario.pool(), scenario.patience());
        poolWith = database.pool("with", scenario.pool(), scenario.patience());
    }

    private static PolicyFile policy() {
        try (InputStream in = Applications.class.getResourceAsStream(POLICY)) {
            return PolicyFile.read(POLICY, Objects.requireNonNull(in, POLICY));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void addTo(ReportServer server) {
        server.add(WITHOUT, List.of(bookkeeper), servlets(poolWithout));
        addWithHangup(server);
        server.add("/", List.of(), Map.of("/metrics", new MetricsPage(registry)));
    }

    private void addWithHangup(ReportServer server) {
        server.add(
                WITH,
                List.of(bookkeeper, new HangupFilter(hangup)),
                servlets(CallerAwareDataSource.wrap(poolWith, POOL)));
    }

    private Map<String, HttpServlet> servlets(DataSource dataSource) {
        DataSource booked = bookkeeper.book(dataSource);
        ReportDesk slow = new ReportDesk(booked, scenario.slowWork());
        ReportDesk fast = new ReportDesk(booked, scenario.fastWork());
        if (app == Settings.App.JERSEY) {
            return Map.of("/*", new ServletContainer(new ReportService(slow, fast, background)));
        }
        return Map.of(
                SLOW + "*", new Reports(slow),
                OBSERVED + "*", new Reports(slow),
                FAST + "*", new Reports(fast));
    }

    /** Hangup's metrics as they are now. */
    Reading metrics() {
        return Reading.of(registry.scrape(), "jdbc:" + POOL);
    }

    @Override
    public void close() {
        hangup.close();
        background.shutdownNow();
        poolWithout.close();
        poolWith.close();
        registry.close();
    }
}
