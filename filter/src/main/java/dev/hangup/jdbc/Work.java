package dev.hangup.jdbc;

/**
 * What a statement does to its transaction and its session, as far as its first word tells. In doubt the answer is the one
 * that costs a connection, never the one that costs a row.
 */
enum Work {
    /** Writes nothing, unless by a function. In autocommit it is no transaction of its own. */
    READ,
    /** May write; in autocommit it is a transaction. */
    WRITE,
    /** Commits what was done before: goes the way of {@code Connection.commit}. */
    COMMIT,
    /** May leave something in the session, or end or begin transactions on its own: after a cancel the connection is not given back. */
    SESSION,
    /** Changes what tables there are and the like. Most databases commit before and after it; to PostgreSQL it is as {@link #SESSION}. */
    DEFINE,
    /** As WRITE, but it sets something for the rest of its transaction, or a savepoint. */
    LOCAL,
    /** Further rows of a statement that has begun. */
    FETCH;

    private static final String[] READS = {"SELECT", "VALUES", "SHOW", "TABLE"};
    private static final String[] WRITES = {"INSERT", "UPDATE", "DELETE", "WITH", "MERGE", "COPY", "EXPLAIN", "LOCK"};
    private static final String[] LOCALS = {"SAVEPOINT", "RELEASE", "SET LOCAL", "SET TRANSACTION"};
    private static final String[] COMMITS = {"COMMIT", "END"};
    private static final String[] DEFINES = {
        "CREATE",
        "ALTER",
        "DROP",
        "TRUNCATE",
        "RENAME",
        "COMMENT",
        "GRANT",
        "REVOKE",
        "ANALYZE",
        "OPTIMIZE",
        "BEGIN",
        "START",
        "SET AUTOCOMMIT",
        "SET PASSWORD",
        "LOCK TABLES",
        "UNLOCK",
        "FLUSH"
    };

    /** On workers, once per statement text; allocates nothing for the usual words. */
    static Work of(String sql) {
        int start = skip(sql, 0);
        Work work = startsWithAny(sql, start, READS)
                ? READ
                : startsWithAny(sql, start, DEFINES)
                        ? DEFINE
                        : startsWithAny(sql, start, WRITES)
                                ? WRITE
                                : startsWithAny(sql, start, COMMITS)
                                        ? COMMIT
                                        : startsWithAny(sql, start, LOCALS) ? LOCAL : SESSION;
        return isOneStatement(sql, start) ? work : SESSION;
    }

    /** What a batch of both does. */
    Work and(Work other) {
        if (this == READ || this == other) {
            return other == COMMIT || other == DEFINE ? SESSION : other;
        }
        if (other == READ && this == WRITE) {
            return WRITE;
        }
        return isLocal() && other.isLocal() ? LOCAL : SESSION;
    }

    private boolean isLocal() {
        return this == READ || this == WRITE || this == LOCAL;
    }

    boolean writes() {
        return this != READ && this != FETCH;
    }

    /** A second statement in the same text could do anything. A semicolon in a literal is taken for one, too. */
    private static boolean isOneStatement(String sql, int from) {
        int semicolon = sql.indexOf(';', from);
        return semicolon < 0 || skip(sql, semicolon + 1) == sql.length();
    }

    private static boolean startsWithAny(String sql, int from, String[] all) {
        for (String words : all) {
            if (startsWith(sql, from, words)) {
                return true;
            }
        }
        return false;
    }

    /** In either case, with whatever stands between two words. */
    private static boolean startsWith(String sql, int from, String words) {
        int space = words.indexOf(' ');
        int length = space < 0 ? words.length() : space;
        int end = from + length;
        if (!sql.regionMatches(true, from, words, 0, length)
                || (end < sql.length() && Character.isJavaIdentifierPart(sql.charAt(end)))) {
            return false;
        }
        return space < 0 || startsWith(sql, skip(sql, end), words.substring(space + 1));
    }

    /** The index of the first character that is neither space nor comment. */
    private static int skip(String sql, int from) {
        int i = from;
        while (i < sql.length()) {
            char c = sql.charAt(i);
            if (Character.isWhitespace(c) || c == '(' || c == ';') {
                i++;
            } else if (sql.startsWith("--", i)) {
                int end = sql.indexOf('\n', i);
                i = end < 0 ? sql.length() : end + 1;
            } else if (sql.startsWith("/*", i)) {
                i = commentEnd(sql, i);
            } else {
                return i;
            }
        }
        return i;
    }

    /** Comments nest, as in PostgreSQL. */
    private static int commentEnd(String sql, int from) {
        int depth = 0;
        for (int i = from; i < sql.length() - 1; i++) {
            if (sql.startsWith("/*", i)) {
                depth++;
                i++;
            } else if (sql.startsWith("*/", i)) {
                i++;
                if (--depth == 0) {
                    return i + 1;
                }
            }
        }
        return sql.length();
    }
}
