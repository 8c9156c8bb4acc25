package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Drivers whose own {@code Statement.cancel} returns when the server has heard of it. */
enum DriverCanceller implements StatementCanceller {
    /** A cancel that comes late stays with the cached statement and hits whoever runs the same text next: no query draws it out. */
    H2("H2 JDBC Driver", Duration.ofMillis(1)) {
        @Override
        boolean isCancel(SQLException error) {
            return "57014".equals(error.getSQLState());
        }
    },
    MARIADB("MariaDB Connector/J", Duration.ofMillis(3)) {
        @Override
        boolean isCancel(SQLException error) {
            return error.getErrorCode() == QUERY_INTERRUPTED;
        }

        @Override
        public boolean absorb(Connection driver) throws SQLException {
            return drawn(driver, this);
        }

        /** The driver writes {@code SET STATEMENT max_statement_time} in front of the text. */
        @Override
        public boolean timeoutsEndWithStatement() {
            return true;
        }
    },
    /** Throws an error of its own, with no code, when any answer of the server's comes after a cancel: that proves nothing. */
    MYSQL("MySQL Connector/J", Duration.ofMillis(3)) {
        @Override
        boolean isCancel(SQLException error) {
            return error.getErrorCode() == QUERY_INTERRUPTED;
        }

        @Override
        public boolean absorb(Connection driver) throws SQLException {
            return drawn(driver, this);
        }
    },
    /** Any other: after a cancel its connection is never given back. */
    UNKNOWN("", Duration.ZERO) {
        @Override
        boolean isCancel(SQLException error) {
            return false;
        }
    };

    /** ER_QUERY_INTERRUPTED, SQLState 70100. */
    private static final int QUERY_INTERRUPTED = 1317;

    private final String driverName;
    private final Duration patience;

    DriverCanceller(String driverName, Duration patience) {
        this.driverName = driverName;
        this.patience = patience;
    }

    static StatementCanceller of(Connection driver) throws SQLException {
        String name = driver.getMetaData().getDriverName();
        for (DriverCanceller known : values()) {
            if (known.driverName.equals(name)) {
                return known;
            }
        }
        return UNKNOWN;
    }

    abstract boolean isCancel(SQLException error);

    @Override
    public Duration patience() {
        return patience;
    }

    @Override
    public boolean cancel(Connection driver, @Nullable Statement running, boolean autoCommit) throws SQLException {
        if (running != null) {
            running.cancel();
        }
        return running != null;
    }

    @Override
    public final boolean isCancelError(SQLException error) {
        for (SQLException e = error; e != null; e = e.getNextException()) {
            if (!isCancel(e)) {
                return false;
            }
        }
        return true;
    }

    /** Every cancel was delivered before: the first query is hit, or there was none; the second proves that it is over. */
    static boolean drawn(Connection driver, StatementCanceller canceller) throws SQLException {
        for (int tries = 0; tries < 3; tries++) {
            try (Statement query = driver.createStatement()) {
                query.execute("SELECT 1");
                return true;
            } catch (SQLException e) {
                if (!canceller.isCancelError(e)) {
                    throw e;
                }
            }
        }
        return false;
    }
}
