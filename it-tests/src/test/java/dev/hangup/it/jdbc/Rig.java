package dev.hangup.it.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.jdbc.JdbcOptions;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A wrapped HikariCP pool, over the real PostgreSQL unless another database is given, and calls to use it. */
final class Rig extends Calls {
    final HikariDataSource hikari;
    final CallerAwareDataSource source;

    Rig(int size) {
        this(size, 8, Duration.ofSeconds(10));
    }

    Rig(int size, int cancellers, Duration escalateAfter) {
        this(size, cancellers, escalateAfter, JdbcOptions.DEFAULT);
    }

    Rig(int size, int cancellers, Duration escalateAfter, JdbcOptions options) {
        this(observed(), size, cancellers, escalateAfter, options);
    }

    Rig(DataSource database, int size, int cancellers, Duration escalateAfter, JdbcOptions options) {
        super(cancellers, escalateAfter);
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        this.hikari = new HikariDataSource(config);
        this.source = CallerAwareDataSource.wrap(hikari, "it", options);
    }

    private static DataSource observed() {
        PGSimpleDataSource driver = (PGSimpleDataSource) Postgres.shared().dataSource();
        driver.setSocketFactory(ObservedSockets.class.getName());
        return driver;
    }

    int active() {
        return hikari.getHikariPoolMXBean().getActiveConnections();
    }

    @Override
    public void close() {
        hikari.close();
        super.close();
    }
}
