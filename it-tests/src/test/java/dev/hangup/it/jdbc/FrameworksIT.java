package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallCancelledSQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frameworks over a wrapped pool, and applications that do not want to hear that they were cancelled: nothing is committed. */
final class FrameworksIT {
    private final Postgres postgres = Postgres.shared();

    @ParameterizedTest
    @EnumSource
    void commitAsBefore(Framework framework) throws Exception {
        postgres.execute("drop table if exists framed").execute("create table framed (id int)");
        try (Rig rig = new Rig(1)) {
            Calls.Working<Boolean> worker = rig.call(() -> {
                framework.inTransaction(rig.source, sql -> sql.accept("insert into framed values (1)"));
                return true;
            });
            assertThat(worker.result.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(rig.transactions).contains(TransactionOutcome.COMMITTED);
            assertThat(postgres.rows("framed")).isEqualTo(1);
        }
    }

    /** The application swallows the exception of the statement that was stopped, and returns. */
    @ParameterizedTest
    @EnumSource
    void doNotCommitWhatWasSwallowed(Framework framework) throws Exception {
        postgres.execute("drop table if exists framed").execute("create table framed (id int)");
        try (Rig rig = new Rig(1)) {
            List<Throwable> swallowed = new ArrayList<>();
            Calls.Working<Boolean> worker = rig.call(() -> {
                framework.inTransaction(rig.source, sql -> {
                    sql.accept("insert into framed values (1)");
                    try {
                        sql.accept("select cast(pg_sleep(60) as varchar) /* framed */");
                    } catch (RuntimeException e) {
                        swallowed.add(e);
                    }
                });
                return true;
            });
            await().until(() -> postgres.runningQueries("framed */") == 1);
            worker.hangUp();
            nothingIsCommitted(rig, worker);
            assertThat(swallowed).hasSize(1);
            assertThat(swallowed.get(0)).hasStackTraceContaining(CallCancelledSQLException.class.getName());
        }
    }

    /** The application does something else when its caller leaves, and then returns. */
    @ParameterizedTest
    @EnumSource
    void doNotCommitWhatNobodyWaitsFor(Framework framework) throws Exception {
        postgres.execute("drop table if exists framed").execute("create table framed (id int)");
        try (Rig rig = new Rig(1)) {
            Calls.Working<Boolean> worker = rig.call(() -> {
                framework.inTransaction(rig.source, sql -> {
                    sql.accept("insert into framed values (1)");
                    Call.current().cancel();
                });
                return true;
            });
            nothingIsCommitted(rig, worker);
        }
    }

    private void nothingIsCommitted(Rig rig, Calls.Working<Boolean> worker) throws Exception {
        try {
            worker.result.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            // Ours, or the framework's own word for a rollback that was not asked for.
            assertThat(e).hasCauseInstanceOf(Exception.class);
        }
        assertThat(worker.ended.get(5, TimeUnit.SECONDS)).isFalse();
        await().until(() -> rig.active() == 0);
        assertThat(postgres.rows("framed")).isZero();
        assertThat(rig.transactions)
                .isNotEmpty()
                .isSubsetOf(TransactionOutcome.ROLLED_BACK, TransactionOutcome.EVICTED);
        assertThat(postgres.openTransactions()).isZero();
    }
}
