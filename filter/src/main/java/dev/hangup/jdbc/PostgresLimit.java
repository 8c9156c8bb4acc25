package dev.hangup.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code SET LOCAL statement_timeout} in a transaction that has begun or begins with the statement that follows; it ends with the
 * transaction, however that ends. Outside one there is nothing that would not stay in the session, and so no limit.
 *
 * <p>PostgreSQL counts from each statement's start, so the limit must shrink as the deadline comes nearer. It is not told before
 * every statement, but when what is in force is too long by {@link #SLACK} or a tenth, or unknown: after a rollback to a savepoint,
 * which takes a limit back, and after whatever is more than reading and writing. With each telling the server says what was in force:
 * that is ours, or the application has set it, and then it is never made longer.
 */
final class PostgresLimit extends Limit {
    private static final long SLACK = 100;
    private static final long LONGEST = Integer.MAX_VALUE;

    private static final String QUERY_CANCELED = "57014";
    private static final Pattern SHOWN = Pattern.compile("(\\d+)(ms|s|min|h|d)?");

    private final Pgjdbc pgjdbc;

    /** All that we have told in this transaction: a rollback to a savepoint brings an earlier one back. */
    private final Set<Long> told = new HashSet<>();
    /** What is in force, if it is not in doubt. */
    private long inForce = NONE;
    /** The application's own; what it was in the last transaction, until the server says more. */
    private long own = NONE;

    private boolean doubted;

    PostgresLimit(Account borrow, Pgjdbc pgjdbc) {
        super(borrow);
        this.pgjdbc = pgjdbc;
    }

    @Override
    void before(Work work, @Nullable Statement statement) throws SQLException {
        if (borrow.autoCommit || pgjdbc.hasFailed(borrow.driver)) {
            return; // in a transaction that has failed there is nothing left to be said but its end
        }
        if (pgjdbc.isIdle(borrow.driver)) {
            told.clear();
        }
        long left = Math.min(millisLeft(), LONGEST);
        if (told.isEmpty() ? left != NONE : doubted || isWrong(shorter(left, own), left)) {
            tell(left);
        }
    }

    /** Too short when the call's deadline was moved, or it was detached. */
    private boolean isWrong(long wanted, long left) {
        return wanted == NONE
                ? inForce != NONE
                : inForce == NONE || inForce < wanted || inForce - wanted > Math.min(SLACK, left / 10);
    }

    private void tell(long left) throws SQLException {
        try (Statement statement = borrow.driver.createStatement()) {
            long wanted = shorter(left, own);
            // Neither takes a snapshot: the application can still choose the isolation level.
            statement.execute("SHOW statement_timeout; " + set(wanted));
            long shown = shown(statement);
            if (!told.contains(shown)) {
                own = shown;
            }
            told.add(wanted);
            inForce = shorter(left, own);
            if (inForce != wanted) {
                statement.execute(set(inForce));
                told.add(inForce);
            }
            doubted = false;
        }
    }

    private static String set(long millis) {
        return "SET LOCAL statement_timeout = " + millis;
    }

    private static long shown(Statement statement) throws SQLException {
        try (ResultSet row = statement.getResultSet()) {
            row.next();
            return millis(row.getString(1));
        }
    }

    /** As the server shows it, in the largest unit that is exact. */
    static long millis(String shown) throws SQLException {
        Matcher matcher = SHOWN.matcher(shown);
        if (!matcher.matches()) {
            throw new SQLException("statement_timeout is shown as \"" + shown + "\"");
        }
        String unit = matcher.group(2);
        long factor =
                switch (unit == null ? "ms" : unit) {
                    case "s" -> 1_000;
                    case "min" -> 60_000;
                    case "h" -> 3_600_000;
                    case "d" -> 86_400_000;
                    default -> 1;
                };
        return Long.parseLong(matcher.group(1)) * factor;
    }

    @Override
    void after(Work work, @Nullable Statement statement) {
        doubted |= work != Work.READ && work != Work.WRITE && work != Work.FETCH;
    }

    @Override
    void disturbed() {
        doubted = true;
    }

    @Override
    boolean isTimeout(SQLException error) {
        return QUERY_CANCELED.equals(error.getSQLState());
    }
}
