package dev.hangup.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ParameterMetaData;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Struct;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/**
 * What all our JDBC objects have in common: what they hand out is ours again. Equality is identity. The driver's null is
 * passed on as it is.
 */
abstract class Handle implements Wrapper {
    final Access access;

    Handle(Access access) {
        this.access = access;
    }

    /** The driver's own object. A method, because a field more is eight bytes in every statement. */
    abstract Wrapper wrapped();

    /** Whose result sets these are; null for the database's own. */
    @Nullable
    GuardedStatement owner() {
        return null;
    }

    @SuppressWarnings("NullAway")
    ResultSet rows(@Nullable ResultSet driver) {
        return driver == null ? null : new GuardedResultSet(access, driver, owner());
    }

    @SuppressWarnings("NullAway")
    ResultSetMetaData columns(@Nullable ResultSetMetaData driver) {
        return driver == null ? null : new GuardedResultSetMetaData(access, driver);
    }

    @SuppressWarnings("NullAway")
    ParameterMetaData parameters(@Nullable ParameterMetaData driver) {
        return driver == null ? null : new GuardedParameterMetaData(access, driver);
    }

    /** A value that may be an object of the driver's own, the use of which we cannot see. */
    @SuppressWarnings("unchecked")
    <T> T handOut(T value) {
        if (value instanceof ResultSet cursor) {
            return (T) rows(cursor);
        }
        if (value instanceof InputStream
                || value instanceof Reader
                || value instanceof Blob
                || value instanceof Clob
                || value instanceof Array
                || value instanceof SQLXML
                || value instanceof Struct
                || value instanceof Ref) {
            access.outside();
        }
        return value;
    }

    /** Leads past us to the driver's own object: after a cancel its connection is not given back. */
    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        access.outside();
        Wrapper wrapped = wrapped();
        return type.isInstance(wrapped) ? type.cast(wrapped) : wrapped.unwrap(type);
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) throws SQLException {
        Wrapper wrapped = wrapped();
        return type.isInstance(this) || type.isInstance(wrapped) || wrapped.isWrapperFor(type);
    }

    @Override
    public final String toString() {
        return wrapped().toString();
    }
}
