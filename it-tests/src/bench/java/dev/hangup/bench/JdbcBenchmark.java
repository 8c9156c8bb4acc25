package dev.hangup.bench;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.Treatment;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.jdbc.JdbcOptions;
import dev.hangup.jdbc.StatementCanceller;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the wrapper adds to a statement over a driver that does nothing: {@code mvn -Pbench -Dbench.args="-prof gc Jdbc"}. Subtract
 * {@code bare} from {@code guarded}: one statement that is prepared, executed, read and closed; and from {@code again}: one that
 * was prepared before.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class JdbcBenchmark {
    private static final String SQL = "SELECT name FROM people WHERE id = ?";

    private final Connection driver = driver(Connection.class);
    private Connection guarded;
    private PreparedStatement bareStatement;
    private PreparedStatement guardedStatement;
    private CallScope call;

    /** A call on the benchmark's thread. */
    @Setup
    public void borrow() throws SQLException {
        Treatment treatment = new Treatment(true, true, true, true, Duration.ofSeconds(2), Duration.ofSeconds(10));
        call = CallScope.begin(new Idle(), "GET", "GET /bench", treatment, Duration.ofHours(1), true, null);
        DataSource source = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> driver);
        guarded = CallerAwareDataSource.wrap(source, "bench", JdbcOptions.DEFAULT.withCanceller(new Harmless()))
                .getConnection();
        bareStatement = driver.prepareStatement(SQL);
        guardedStatement = guarded.prepareStatement(SQL);
    }

    /** The call ends on the thread that began it. */
    @TearDown
    public void giveBack() throws SQLException {
        guarded.close();
        call.leave();
        call.responseOver();
    }

    /** The driver alone, prepared each time. */
    @Benchmark
    public int bare() throws SQLException {
        return prepareAndRun(driver);
    }

    /** Through the wrapper, prepared each time. */
    @Benchmark
    public int guarded() throws SQLException {
        return prepareAndRun(guarded);
    }

    /** The driver alone, prepared before. */
    @Benchmark
    public int bareAgain() throws SQLException {
        return run(bareStatement);
    }

    /** Through the wrapper, prepared before. */
    @Benchmark
    public int guardedAgain() throws SQLException {
        return run(guardedStatement);
    }

    private static int prepareAndRun(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL)) {
            return run(statement);
        }
    }

    private static int run(PreparedStatement statement) throws SQLException {
        statement.setInt(1, 7);
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    /** Returns the same objects each time, and true, and zero; wraps nothing. */
    private static <T> T driver(Class<T> type) {
        Object inner = type == Connection.class
                ? driver(PreparedStatement.class)
                : type == PreparedStatement.class ? driver(ResultSet.class) : null;
        Integer zero = 0;
        return type.cast(Proxy.newProxyInstance(
                JdbcBenchmark.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Class<?> result = method.getReturnType();
                    return result == boolean.class
                            ? (Object) !method.getName().equals("isWrapperFor")
                            : result == int.class ? zero : inner;
                }));
    }

    private static final class Harmless implements StatementCanceller {
        @Override
        public boolean cancel(Connection driver, @Nullable Statement running, boolean autoCommit) {
            return false;
        }

        @Override
        public boolean isCancelError(SQLException error) {
            return false;
        }
    }

    private static final class Idle implements CallRuntime {
        @Override
        public Executor canceller() {
            return task -> {};
        }

        @Override
        public void at(long nanoTime, Runnable task) {}

        @Override
        public CallListener listener() {
            return new CallListener() {};
        }

        @Override
        public void began(CallScope call) {}
    }
}
