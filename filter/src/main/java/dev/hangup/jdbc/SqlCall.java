package dev.hangup.jdbc;

import java.sql.SQLException;

/** One call into the driver. */
@FunctionalInterface
interface SqlCall<T> {
    T call() throws SQLException;

    /** For calls that return nothing. */
    @FunctionalInterface
    interface Silent {
        void call() throws SQLException;
    }
}
