package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections as a pool does, beside it. */
@FunctionalInterface
interface DirectConnections {
    /** For the caller to close; never the pool's. */
    Connection open() throws SQLException;
}
