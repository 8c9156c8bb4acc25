package dev.hangup.it.jdbc;

import com.mysql.cj.jdbc.MysqlDataSource;
import dev.hangup.it.Postgres;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbDataSource;

/** Databases and drivers that the same tests run on. */
enum Engine {
    POSTGRES,
    H2,
    MARIADB,
    /** MySQL's driver. */
    CONNECTOR_J;

    boolean needsMariaDb() {
        return this == MARIADB || this == CONNECTOR_J;
    }

    /** Connections without a pool. */
    DataSource open(@Nullable MariaDb server) throws SQLException {
        return switch (this) {
            case POSTGRES -> Postgres.shared().dataSource();
            case H2 -> {
                JdbcDataSource h2 = new JdbcDataSource();
                h2.setUrl("jdbc:h2:mem:it;DB_CLOSE_DELAY=-1");
                yield h2;
            }
            case MARIADB -> new MariaDbDataSource(url(server, "mariadb"));
            case CONNECTOR_J -> {
                MysqlDataSource mysql = new MysqlDataSource();
                mysql.setUrl(url(server, "mysql"));
                yield mysql;
            }
        };
    }

    private static String url(@Nullable MariaDb server, String scheme) {
        if (server == null) {
            throw new IllegalArgumentException("needs a server");
        }
        return server.url(scheme);
    }

    /** A query that takes about so long. */
    String work(int millis) {
        return switch (this) {
            case POSTGRES -> "select pg_sleep(" + millis / 1e3 + ")";
            case H2 -> "select sum(x) from system_range(1, " + (1 + millis * 30_000) + ")";
            default -> "select sleep(" + millis / 1e3 + ")";
        };
    }

    /** Several rows, which take a while. */
    String rows(int millis) {
        return switch (this) {
            case POSTGRES -> "select i, pg_sleep(" + millis / 1e4 + ") from generate_series(1, 10) i";
            case H2 -> "select x from system_range(1, " + (10 + millis * 5_000) + ")";
            default -> "select seq, sleep(" + millis / 1e4 + ") from seq_1_to_10";
        };
    }
}
