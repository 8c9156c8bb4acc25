package dev.hangup.jdbc;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a data source that is defined in JNDI, as a {@code <Resource>} of Tomcat's. It is either made by the factory that the
 * attribute {@code delegate} names, from the same definition, or it is the one that {@code source} names ({@code jdbc/raw}, below
 * {@code java:comp/env/} unless it has a scheme). {@code hangupName} is its name in metrics, the last part of the JNDI name
 * otherwise; {@code controlConnection="false"} and {@code databaseDeadline="true"} as in {@link JdbcOptions}.
 *
 * <p>A resource should be a singleton, as Tomcat's are by default: each look-up would wrap, and with {@code delegate} make, another.
 */
public final class CallerAwareDataSourceFactory implements ObjectFactory {
    private static final String LOCAL = "java:comp/env/";

    /** Null if this is no definition of a data source; an exception says what is wrong with one. */
    @Override
    @SuppressWarnings("BanJNDI") // it is the container's, and the name in it the administrator's
    public @Nullable Object getObjectInstance(
            Object definition, @Nullable Name name, @Nullable Context context, @Nullable Hashtable<?, ?> environment)
            throws Exception {
        if (!(definition instanceof Reference reference)) {
            return null;
        }
        String source = value(reference, "source");
        String delegate = value(reference, "delegate");
        if ((source == null) == (delegate == null)) {
            throw new NamingException(
                    "a data source for Hangup needs either the attribute \"delegate\" (the factory that"
                            + " makes it) or \"source\" (its name in JNDI)");
        }
        Object made = source == null
                ? factory(delegate).getObjectInstance(reference, name, context, environment)
                : new InitialContext(environment).lookup(source.contains(":") ? source : LOCAL + source);
        if (!(made instanceof DataSource found)) {
            throw new NamingException((source == null ? delegate : source) + " gives no data source but " + made);
        }
        return CallerAwareDataSource.wrap(found, metricsName(reference, name), options(reference));
    }

    private static JdbcOptions options(Reference reference) {
        JdbcOptions options = JdbcOptions.DEFAULT;
        if ("false".equals(value(reference, "controlConnection"))) {
            options = options.withoutControlConnection();
        }
        return "true".equals(value(reference, "databaseDeadline")) ? options.withDatabaseDeadline() : options;
    }

    private static String metricsName(Reference reference, @Nullable Name name) {
        String given = value(reference, "hangupName");
        if (given != null) {
            return given;
        }
        return name == null || name.isEmpty() ? "jndi" : name.get(name.size() - 1);
    }

    private static ObjectFactory factory(@Nullable String name) throws ReflectiveOperationException {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context == null ? CallerAwareDataSourceFactory.class.getClassLoader() : context;
        return Class.forName(name, true, loader)
                .asSubclass(ObjectFactory.class)
                .getDeclaredConstructor()
                .newInstance();
    }

    private static @Nullable String value(Reference reference, String attribute) {
        RefAddr address = reference.get(attribute);
        return address == null || address.getContent() == null
                ? null
                : address.getContent().toString();
    }
}
