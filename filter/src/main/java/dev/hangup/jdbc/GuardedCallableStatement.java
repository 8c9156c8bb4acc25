package dev.hangup.jdbc;

import java.sql.CallableStatement;

/** A callable statement of a call's connection. What a procedure commits on its own cannot be refused. */
final class GuardedCallableStatement extends DelegatingCallableStatement {
    GuardedCallableStatement(GuardedConnection connection, CallableStatement driver, Work work) {
        super(connection, driver, work);
    }
}
