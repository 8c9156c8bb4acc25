package dev.hangup.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the base classes of our handles, so that no method of an interface is forgotten: each is delegated inside a bracket of
 * {@link Access}. The main method writes them into the directory that it is given; a test compares them with what is checked
 * in. What needs more thought than a bracket is left out here and written by hand in the subclass.
 */
final class DelegatorSource {
    static final List<Class<?>> TYPES = List.of(
            Connection.class,
            Statement.class,
            PreparedStatement.class,
            CallableStatement.class,
            ResultSet.class,
            DatabaseMetaData.class,
            ResultSetMetaData.class,
            ParameterMetaData.class);

    private static final Set<String> BY_HAND = Set.of(
            "Wrapper.unwrap",
            "Wrapper.isWrapperFor",
            "Connection.abort",
            "Connection.close",
            "Connection.commit",
            "Connection.getMetaData",
            "Connection.isClosed",
            "Connection.isValid",
            "Connection.prepareStatement(String)",
            "Connection.rollback",
            "Connection.setAutoCommit",
            "Connection.setClientInfo",
            "Statement.addBatch",
            "Statement.cancel",
            "Statement.clearBatch",
            "Statement.close",
            "Statement.getConnection",
            "Statement.isClosed",
            "ResultSet.close",
            "ResultSet.getStatement",
            "ResultSet.isClosed",
            "DatabaseMetaData.getConnection",
            "DatabaseMetaData.getDriverMajorVersion",
            "DatabaseMetaData.getDriverMinorVersion");

    /** These may ask the database for further rows. */
    private static final Set<String> FETCHES = Set.of(
            "absolute",
            "afterLast",
            "beforeFirst",
            "first",
            "isLast",
            "last",
            "next",
            "previous",
            "refreshRow",
            "relative");

    private static final Set<String> ROW_WRITES = Set.of("deleteRow", "insertRow", "updateRow");

    /** Objects of the driver's own, the use of which we cannot see. */
    private static final Set<Class<?>> OUTSIDE = Set.of(
            Array.class,
            Blob.class,
            Clob.class,
            InputStream.class,
            NClob.class,
            Reader.class,
            Ref.class,
            SQLXML.class,
            Object.class);

    /** Made by the application to be bound to a parameter, and read by nobody. */
    private static final Set<String> FOR_BINDING = Set.of("createArrayOf", "createSQLXML", "createStruct");

    private static final Map<Class<?>, String> HANDLES = Map.of(
            CallableStatement.class, "callable",
            PreparedStatement.class, "prepared",
            ResultSet.class, "rows",
            ResultSetMetaData.class, "columns",
            ParameterMetaData.class, "parameters",
            Statement.class, "statement");

    /** What the brackets and handles above need that the subclass writes by hand. */
    private static final Map<Class<?>, List<String>> HOOKS = Map.of(
            Connection.class,
            List.of(
                    "Statement statement(Statement driver)",
                    "PreparedStatement prepared(PreparedStatement driver, String sql)",
                    "CallableStatement callable(CallableStatement driver, String sql)"),
            Statement.class,
            List.of(
                    "<T> T run(String sql, SqlCall<T> call) throws SQLException",
                    "<T> T runBatch(SqlCall<T> call) throws SQLException",
                    "<T> T moreResults(SqlCall<T> call) throws SQLException"),
            PreparedStatement.class,
            List.of("<T> T runPrepared(SqlCall<T> call) throws SQLException"),
            ResultSet.class,
            List.of(
                    "<T> T fetch(SqlCall<T> call) throws SQLException",
                    "<T> T writeRow(SqlCall<T> call) throws SQLException"));

    private final Class<?> type;
    private final @Nullable Class<?> parent;
    private final String field;
    private final Set<String> imports = new TreeSet<>();

    DelegatorSource(Class<?> type) {
        this.type = type;
        this.parent = Arrays.stream(type.getInterfaces())
                .filter(TYPES::contains)
                .findFirst()
                .orElse(null);
        this.field = parent == null ? "driver" : type == PreparedStatement.class ? "prepared" : "callable";
    }

    public static void main(String[] arguments) throws IOException {
        for (Class<?> type : TYPES) {
            DelegatorSource source = new DelegatorSource(type);
            Files.writeString(Path.of(arguments[0], source.className() + ".java"), source.text());
        }
    }

    String className() {
        return "Delegating" + type.getSimpleName();
    }

    String text() {
        List<String> parts = new ArrayList<>();
        parts.add("/** {@link %s}, each method inside a bracket of {@link Access}. Generated by DelegatorSource. */"
                .formatted(name(type)));
        parts.add("@SuppressWarnings(\"deprecation\")");
        parts.add("abstract class %s extends %s implements %s {"
                .formatted(className(), parent == null ? "Handle" : "Guarded" + parent.getSimpleName(), name(type)));
        parts.add(fields());
        HOOKS.getOrDefault(type, List.of()).forEach(hook -> parts.add("abstract " + hook + ";\n"));
        methods().forEach(method -> parts.add(method(method)));
        parts.add("}");
        String imported = imports.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining());
        return "package dev.hangup.jdbc;\n\n" + imported + "\n" + String.join("\n", parts) + "\n";
    }

    private String fields() {
        if (parent == null) {
            return """
                    final %2$s driver;

                    %1$s(Access access, %2$s driver) { super(access); this.driver = driver; }

                    @Override final %3$s wrapped() { return driver; }
                    """.formatted(className(), name(type), name(Wrapper.class));
        }
        return "final %2$s %3$s;\n\n%1$s(GuardedConnection connection, %2$s driver, Work work) { super(connection, driver, work); this.%3$s = driver; }\n"
                .formatted(className(), name(type), field);
    }

    /** Those that no parent has, in an order that does not vary. */
    private List<Method> methods() {
        return Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> parent == null || !has(parent, method))
                .filter(method -> !byHand(method))
                .sorted(Comparator.comparing(Method::getName)
                        .thenComparing(method -> Arrays.toString(method.getParameterTypes())))
                .toList();
    }

    private static boolean has(Class<?> type, Method method) {
        return Arrays.stream(type.getMethods())
                .anyMatch(other -> other.getName().equals(method.getName())
                        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
    }

    private static boolean byHand(Method method) {
        String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return BY_HAND.contains(name) || BY_HAND.contains(name + "(" + parameters + ")");
    }

    private String method(Method method) {
        List<String> parameters = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        for (Type parameter : method.getGenericParameterTypes()) {
            String name = String.valueOf((char) ('a' + arguments.size()));
            arguments.add(name);
            parameters.add(name(parameter) + " " + name);
        }
        String generic = method.getTypeParameters().length > 0 ? "<T> " : "";
        String call = "%s.%s(%s)".formatted(field, method.getName(), String.join(", ", arguments));
        return "@Override public %s%s %s(%s) throws %s {\n%s\n}\n"
                .formatted(
                        generic,
                        name(method.getGenericReturnType()),
                        method.getName(),
                        String.join(", ", parameters),
                        name(java.sql.SQLException.class),
                        body(method, call));
    }

    private String body(Method method, String call) {
        boolean nothing = method.getReturnType() == void.class;
        String bracket = bracket(method);
        String value = handle(method, call);
        if (bracket.isEmpty()) {
            return "access.touch(); try { %s%s; } catch (SQLException e) { throw access.translated(e); } finally { access.touched(); }"
                    .formatted(nothing ? "" : "return ", value);
        }
        return nothing
                ? "%s() -> { %s; return true; });".formatted(bracket, value)
                : "return %s() -> %s);".formatted(bracket, value);
    }

    /** The opening of the bracket; empty for what stays in memory. */
    private String bracket(Method method) {
        String name = method.getName();
        Class<?> result = method.getReturnType();
        if (Statement.class.isAssignableFrom(type)) {
            return name.startsWith("execute")
                    ? method.getParameterCount() > 0 ? "run(a, " : name.endsWith("Batch") ? "runBatch(" : "runPrepared("
                    : name.equals("getMoreResults") ? "moreResults(" : name.endsWith("MetaData") ? "access.use(" : "";
        }
        if (type == ResultSet.class) {
            return FETCHES.contains(name)
                    ? "fetch("
                    : ROW_WRITES.contains(name) ? "writeRow(" : name.endsWith("MetaData") ? "access.use(" : "";
        }
        if (name.equals("setSavepoint")) {
            return "access.run(Work.WRITE, null, ";
        }
        return HANDLES.containsKey(result) ? "access.open(" : name.startsWith("set") ? "access.change(" : "access.use(";
    }

    /** What the application gets: never a connection, statement or result set of the driver's. */
    private String handle(Method method, String call) {
        String handle = HANDLES.get(method.getReturnType());
        if (handle != null) {
            return "%s(%s%s)".formatted(handle, call, method.getName().startsWith("prepare") ? ", a" : "");
        }
        boolean outside = OUTSIDE.contains(method.getReturnType()) && !FOR_BINDING.contains(method.getName());
        return outside ? "handOut(%s)".formatted(call) : call;
    }

    private String name(Type type) {
        if (type instanceof ParameterizedType generic) {
            String arguments = Arrays.stream(generic.getActualTypeArguments())
                    .map(this::name)
                    .collect(Collectors.joining(", "));
            return name(generic.getRawType()) + "<" + arguments + ">";
        }
        if (type instanceof WildcardType) {
            return "?";
        }
        if (type instanceof Class<?> known) {
            Class<?> element = known;
            while (element.isArray()) {
                element = element.getComponentType();
            }
            if (!element.isPrimitive() && !element.getPackageName().equals("java.lang")) {
                imports.add(element.getName());
            }
            return known.getSimpleName();
        }
        return type.getTypeName();
    }
}
