package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;

/** What a call's connection tells of its database; asking for tables and the like runs queries. */
final class GuardedDatabaseMetaData extends DelegatingDatabaseMetaData {
    private final GuardedConnection connection;

    GuardedDatabaseMetaData(GuardedConnection connection, DatabaseMetaData driver) {
        super(connection.access, driver);
        this.connection = connection;
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    @Override
    public int getDriverMajorVersion() {
        return driver.getDriverMajorVersion();
    }

    @Override
    public int getDriverMinorVersion() {
        return driver.getDriverMinorVersion();
    }
}
