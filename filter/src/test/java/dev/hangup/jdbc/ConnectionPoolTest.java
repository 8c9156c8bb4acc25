package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Pool;
import dev.hangup.call.Treatment;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a wrapped pool tells of itself. */
final class ConnectionPoolTest {
    private static final Treatment OBSERVE =
            new Treatment(false, false, true, false, Duration.ofMinutes(1), Duration.ofMinutes(2));

    private final StubPool stub = new StubPool(new StubDatabase(), 3);
    private final CallerAwareDataSource source = stub.wrapped();
    private final TestEngine engine = new TestEngine();
    private final TestEngine second = new TestEngine();

    @AfterEach
    void close() {
        engine.close();
        second.close();
    }

    private CallScope observed() {
        return CallScope.begin(engine, "GET", "GET /stub", OBSERVE, Duration.ofMinutes(1), false, null);
    }

    private Pool pool() {
        return engine.pools.get(0);
    }

    @Test
    void becomesKnownOnceToEachEngine() throws SQLException {
        for (int i = 0; i < 3; i++) {
            for (TestEngine each : new TestEngine[] {engine, second}) {
                CallScope call = each.begin();
                source.getConnection().close();
                TestEngine.end(call);
            }
        }
        assertThat(engine.pools).singleElement().satisfies(pool -> {
            assertThat(pool.name()).isEqualTo("jdbc:stub");
            assertThat(pool.size()).isEqualTo(3);
            assertThat(pool.unowned()).isZero();
            assertThat(pool.unownedNanos()).isZero();
        });
        assertThat(second.pools).hasSize(1);
    }

    @Test
    void countsWhatIsHeldSinceTheDepartureUntilItsReturn() throws SQLException {
        CallScope call = observed();
        Connection first = source.getConnection();
        Connection another = source.getConnection();
        spend(5);
        assertThat(pool().unowned()).isZero();
        assertThat(pool().unownedNanos()).isZero();
        call.callerGone(CancelReason.CALLER_CLOSED);
        assertThat(pool().unowned()).isEqualTo(2);
        spend(20);
        long both = pool().unownedNanos();
        assertThat(both).isGreaterThanOrEqualTo(millis(40));
        first.close();
        assertThat(pool().unowned()).isEqualTo(1);
        spend(20);
        long before = System.nanoTime() - call.unownedSince();
        another.close();
        long after = pool().unownedNanos();
        assertThat(after).isBetween(before + millis(20), 2 * (System.nanoTime() - call.unownedSince()));
        assertThat(pool().unowned()).isZero();
        TestEngine.end(call);
        assertThat(pool().unownedNanos()).isEqualTo(after);
        assertThat(stub.idle()).isEqualTo(3);
    }

    @Test
    void countsABorrowThatCameAfterTheDepartureFromItsBegin() throws SQLException {
        CallScope call = observed();
        call.callerGone(CancelReason.CALLER_CLOSED);
        spend(30);
        long start = System.nanoTime();
        Connection connection = source.getConnection();
        spend(5);
        connection.close();
        assertThat(pool().unownedNanos()).isBetween(millis(5), System.nanoTime() - start);
        TestEngine.end(call);
    }

    @Test
    void countsNothingForDetachedWork() throws SQLException {
        CallScope call = observed();
        Connection connection = source.getConnection();
        call.detach();
        call.callerGone(CancelReason.CALLER_CLOSED);
        spend(5);
        assertThat(pool().unowned()).isZero();
        connection.close();
        assertThat(pool().unownedNanos()).isZero();
        TestEngine.end(call);
    }

    @Test
    void stopsCountingWhenTheCallEnds() throws SQLException {
        CallScope call = observed();
        Connection connection = source.getConnection();
        call.callerGone(CancelReason.CALLER_CLOSED);
        TestEngine.end(call);
        long nanos = pool().unownedNanos();
        spend(5);
        assertThat(pool().unowned()).isZero();
        assertThat(pool().unownedNanos()).isEqualTo(nanos).isPositive();
        connection.close();
    }

    @Test
    void handsThePoolsOwnConnectionsThroughOutsideACall() throws SQLException {
        try (Connection connection = source.getConnection()) {
            assertThat(connection).isNotInstanceOf(GuardedConnection.class);
        }
        CallScope call = engine.begin();
        TestEngine.end(call);
        assertThat(engine.pools).isEmpty();
    }

    @Test
    void leadsToThePoolItWraps() throws SQLException {
        try (HikariDataSource hikari = new HikariDataSource()) {
            hikari.setMaximumPoolSize(7);
            DataSource wrapped = CallerAwareDataSource.wrap(hikari, "main");
            assertThat(wrapped.isWrapperFor(HikariDataSource.class)).isTrue();
            assertThat(wrapped.unwrap(HikariDataSource.class)).isSameAs(hikari);
            assertThat(wrapped.unwrap(CallerAwareDataSource.class)).isSameAs(wrapped);
            assertThat(PoolAdapter.of(hikari).size()).isEqualTo(7);
        }
    }

    @Test
    void refusesWhatItCannotName() {
        assertThatThrownBy(() -> CallerAwareDataSource.wrap(stub, " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a wrapped data source needs a name, got \" \"");
        assertThatThrownBy(() -> CallerAwareDataSource.wrap(source, "again"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the data source for \"again\" is wrapped already");
    }

    private static void spend(int millis) {
        long until = System.nanoTime() + millis(millis);
        while (System.nanoTime() - until < 0) {
            LockSupport.parkNanos(millis(1));
        }
    }

    private static long millis(int millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
