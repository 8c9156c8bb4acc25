package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.metrics.HangupMetrics;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an engine says of itself when it begins: one line. */
final class StartLineTest extends Handler {
    private final Logger logger = Logger.getLogger("dev.hangup");
    private final @Nullable Level before = logger.getLevel();
    private final List<String> lines = new ArrayList<>();

    @BeforeEach
    void listen() {
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void stopListening() {
        logger.setLevel(before);
        logger.setUseParentHandlers(true);
        logger.removeHandler(this);
    }

    @Test
    void saysModeEndpointsPoolsRegistryAndWatches() {
        HangupMetrics metrics = new HangupMetrics();
        metrics.bindTo(new SimpleMeterRegistry());
        Policy policy = Policy.builder()
                .endpoint("GET /reports/{id}", Entry.of(Mode.CANCEL))
                .build();
        try (HikariDataSource pool = new HikariDataSource()) {
            CallerAwareDataSource wrapped = CallerAwareDataSource.wrap(pool, "of the start line");
            Hangup.builder().policy(policy).listener(metrics).build().close();
            assertThat(wrapped).hasToString("jdbc:of the start line over " + pool);
        }

        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("INFO Hangup watches over this application: mode observe, half-close gone, deadline 30s,"
                        + " cancels GET /reports/{id}; wrapped pools ")
                .containsPattern(
                        "jdbc:of the start line(, [^;]*)?; registry SimpleMeterRegistry; watches tomcat, jetty");
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
