package dev.hangup.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import javax.sql.XAConnection;

/**
 * Connections of distributed transactions, whose commit is the transaction manager's: nothing here could keep its promise on them.
 * They are told by what their pool says of them, and PostgreSQL's also by their class; those of other drivers look like any other.
 */
final class Distributed {
    private static final String POSTGRES_XA = "org.postgresql.xa.";

    private Distributed() {}

    static String message(String whose) {
        return whose
                + " hands out connections of distributed (JTA) transactions, which Hangup does not guard; give it the"
                + " driver's URL or a data source that is not one for XA";
    }

    /** @throws SQLFeatureNotSupportedException if this is one */
    static void refuse(Connection driver, String pool) throws SQLException {
        if (driver.isWrapperFor(XAConnection.class)
                || isPostgres(driver)
                || (driver.isWrapperFor(Connection.class) && isPostgres(driver.unwrap(Connection.class)))) {
            throw new SQLFeatureNotSupportedException(message(pool));
        }
    }

    private static boolean isPostgres(Connection driver) {
        return Proxy.isProxyClass(driver.getClass())
                && Proxy.getInvocationHandler(driver).getClass().getName().startsWith(POSTGRES_XA);
    }
}
