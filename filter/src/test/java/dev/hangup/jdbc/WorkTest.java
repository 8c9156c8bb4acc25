package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken for what; in doubt a statement is taken for one that costs its connection. */
final class WorkTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "select 1;",
                "\n  -- why\n  Select 1 ; -- done",
                "/* outer /* inner */ still outer */ select 1",
                "(select 1)",
                "values (1)",
                "show all",
                "table t"
            })
    void reads(String sql) {
        assertThat(Work.of(sql)).isEqualTo(Work.READ);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (1)",
                "UPDATE t set a = 1",
                "delete from t",
                "with x as (delete from t returning *) select * from x",
                "lock table t"
            })
    void writes(String sql) {
        assertThat(Work.of(sql)).isEqualTo(Work.WRITE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set local statement_timeout = 10",
                "SET /* isolation */ TRANSACTION isolation level serializable",
                "savepoint a",
                "release savepoint a"
            })
    void setsForItsTransaction(String sql) {
        assertThat(Work.of(sql)).isEqualTo(Work.LOCAL);
        assertThat(Work.of(sql).writes()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "COMMIT WORK;", "/**/ end", "Commit and chain"})
    void commits(String sql) {
        assertThat(Work.of(sql)).isEqualTo(Work.COMMIT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "--",
                "/* open",
                "set role admin",
                "set",
                "set localhost = 1",
                "{call p()}",
                "do $$ begin commit; end $$",
                "selected",
                "endless",
                "insert into t values (1); commit",
                "select ';' from t",
                "listen channel"
            })
    void mayLeaveSomethingBehind(String sql) {
        assertThat(Work.of(sql)).isEqualTo(Work.SESSION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"begin", "create temp table t (a int)", "Truncate t", "set /**/ autocommit = 1", "drop table t;"
            })
    void defines(String sql) {
        assertThat(Work.of(sql)).isEqualTo(Work.DEFINE);
    }

    @ParameterizedTest
    @CsvSource({
        "READ, DEFINE, SESSION",
        "READ, READ, READ",
        "READ, WRITE, WRITE",
        "WRITE, READ, WRITE",
        "WRITE, WRITE, WRITE",
        "READ, LOCAL, LOCAL",
        "LOCAL, READ, LOCAL",
        "LOCAL, WRITE, LOCAL",
        "WRITE, LOCAL, LOCAL",
        "LOCAL, COMMIT, SESSION",
        "LOCAL, SESSION, SESSION",
        "WRITE, COMMIT, SESSION",
        "READ, COMMIT, SESSION",
        "COMMIT, READ, SESSION",
        "SESSION, READ, SESSION",
        "READ, SESSION, SESSION",
        "WRITE, SESSION, SESSION"
    })
    void addsUpInABatch(Work first, Work second, Work both) {
        assertThat(first.and(second)).isEqualTo(both);
    }
}
