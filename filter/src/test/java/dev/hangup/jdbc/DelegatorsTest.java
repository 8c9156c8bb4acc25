package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** No method of a JDBC interface bypasses our handles, whichever JDK runs this. */
final class DelegatorsTest {
    private static final Map<Class<?>, Class<?>> HANDLES = Map.of(
            DataSource.class, CallerAwareDataSource.class,
            Connection.class, GuardedConnection.class,
            Statement.class, GuardedStatement.class,
            PreparedStatement.class, GuardedPreparedStatement.class,
            CallableStatement.class, GuardedCallableStatement.class,
            ResultSet.class, GuardedResultSet.class,
            DatabaseMetaData.class, GuardedDatabaseMetaData.class,
            ResultSetMetaData.class, GuardedResultSetMetaData.class,
            ParameterMetaData.class, GuardedParameterMetaData.class);

    /** A method that only the interface implements is a default method of this JDK that we do not delegate. */
    @TestFactory
    Stream<DynamicTest> everyMethodIsOurs() {
        return HANDLES.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey().getSimpleName(), () -> {
                    List<Method> missing = Stream.of(entry.getKey().getMethods())
                            .filter(method -> !Modifier.isStatic(method.getModifiers()))
                            .filter(method -> implementation(entry.getValue(), method)
                                    .getDeclaringClass()
                                    .isInterface())
                            .toList();
                    assertThat(missing).isEmpty();
                }));
    }

    private static Method implementation(Class<?> handle, Method method) {
        try {
            return handle.getMethod(method.getName(), method.getParameterTypes());
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> whatIsCheckedInIsWhatIsGenerated() {
        return DelegatorSource.TYPES.stream()
                .map(DelegatorSource::new)
                .map(source ->
                        DynamicTest.dynamicTest(source.className(), () -> assertThat(withoutSpace(checkedIn(source)))
                                .isEqualTo(withoutSpace(source.text()))));
    }

    private static String checkedIn(DelegatorSource source) throws IOException {
        return Files.readString(Path.of("src/main/java/dev/hangup/jdbc", source.className() + ".java"));
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s+", "");
    }
}
