package dev.hangup.jdbc;

import java.sql.ParameterMetaData;

/** What a call's statement tells of its parameters; drivers may ask the database for it. */
final class GuardedParameterMetaData extends DelegatingParameterMetaData {
    GuardedParameterMetaData(Access access, ParameterMetaData driver) {
        super(access, driver);
    }
}
