package dev.hangup.jdbc;

import java.sql.ResultSetMetaData;

/** What a call's statement tells of its columns; drivers may ask the database for it. */
final class GuardedResultSetMetaData extends DelegatingResultSetMetaData {
    GuardedResultSetMetaData(Access access, ResultSetMetaData driver) {
        super(access, driver);
    }
}
