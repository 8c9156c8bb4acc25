package dev.hangup.it.dropwizard;

import dev.hangup.HangupFilter;
import dev.hangup.demo.ReportDesk;
import dev.hangup.demo.jersey.ReportResource;
import dev.hangup.jdbc.CallerAwareDataSource;
import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Environment;
import jakarta.servlet.DispatcherType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.eclipse.jetty.server.Server;

/** The report service in Dropwizard, by a wrapped DataSource, and one line that puts the filter in front. */
final class ReportApplication extends Application<Configuration> {
    private final DataSource database;
    private final Executor background;
    private final Path policy;
    private final CompletableFuture<Server> started;

    ReportApplication(DataSource database, Executor background, Path policy, CompletableFuture<Server> started) {
        this.database = CallerAwareDataSource.wrap(database, "reports");
        this.background = background;
        this.policy = policy;
        this.started = started;
    }

    @Override
    public void run(Configuration configuration, Environment environment) {
        environment.getApplicationContext().setInitParameter("hangup.config", policy.toString());
        environment
                .servlets()
                .addFilter("hangup", new HangupFilter())
                .addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");

        ReportDesk slow = new ReportDesk(database, Duration.ofSeconds(60));
        ReportDesk fast = new ReportDesk(database, Duration.ofMillis(10));
        environment.jersey().register(new ReportResource(slow, fast, background));
        environment.lifecycle().addServerLifecycleListener(started::complete);
    }
}
