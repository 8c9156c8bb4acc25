package dev.hangup.jdbc;

import dev.hangup.call.Log;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * {@code Statement.setQueryTimeout}, for drivers whose timeouts end with their statement. In whole seconds, so up to one after
 * the deadline. The statement gets back what the application had set on it: it may be used again, or lie in a pool's cache.
 */
final class QueryTimeout extends Limit {
    private static final long SECOND = 1_000;

    /** What the running statement had, while it has ours. */
    private long own;

    private boolean replaced;

    QueryTimeout(Account borrow) {
        super(borrow);
    }

    @Override
    void before(Work work, @Nullable Statement statement) throws SQLException {
        long left = (millisLeft() + SECOND - 1) / SECOND;
        // Of what is neither read nor written a driver may not be able to limit it.
        if (left == NONE
                || left > Integer.MAX_VALUE
                || statement == null
                || (work != Work.READ && work != Work.WRITE)) {
            return;
        }
        own = statement.getQueryTimeout();
        if (shorter(own, left) != own) {
            statement.setQueryTimeout((int) left);
            replaced = true;
        }
    }

    @Override
    void after(Work work, @Nullable Statement statement) {
        if (replaced && statement != null) {
            replaced = false;
            try {
                statement.setQueryTimeout((int) own);
            } catch (SQLException e) {
                Log.log(Level.DEBUG, "a statement that is closed by now has kept our timeout", e);
            }
        }
    }

    @Override
    boolean isTimeout(SQLException error) {
        return error instanceof SQLTimeoutException;
    }
}
