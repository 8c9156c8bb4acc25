package dev.hangup.it;

import jakarta.servlet.ServletContainerInitializer;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ContextHandler;

/**
 * The part of Jetty whose packages bear the name of a Jakarta EE release, reached by name: the tests are compiled against the
 * newest, and run on whichever is on the class path.
 */
enum JettyLine {
    EE11("org.eclipse.jetty.ee11", "org.eclipse.jetty.ee.webapp.WebAppClassLoader"),
    EE10("org.eclipse.jetty.ee10", "org.eclipse.jetty.ee10.webapp.WebAppClassLoader");

    private final String packages;
    private final String classLoader;

    JettyLine(String packages, String classLoader) {
        this.packages = packages;
        this.classLoader = classLoader;
    }

    /** The one that is there. */
    static JettyLine present() {
        for (JettyLine line : values()) {
            if (JettyLine.class.getResource(
                            "/" + line.packages.replace('.', '/') + "/servlet/ServletContextHandler.class")
                    != null) {
                return line;
            }
        }
        throw new IllegalStateException("no Jetty with servlets on the class path");
    }

    /** The site in a context of its own, at the root. */
    ContextHandler embedded(Site site) {
        try {
            Class<?> type = type("servlet.ServletContextHandler");
            ContextHandler handler =
                    (ContextHandler) type.getConstructor(String.class).newInstance("/");
            type.getMethod("addServletContainerInitializer", ServletContainerInitializer.class, Class[].class)
                    .invoke(handler, initializer(site), new Class<?>[0]);
            handler.setErrorHandler(errorPages(site));
            return handler;
        } catch (ReflectiveOperationException e) {
            throw unusable(e);
        }
    }

    private static ServletContainerInitializer initializer(Site site) {
        return (classes, context) -> site.applyTo(context);
    }

    private Request.Handler errorPages(Site site) throws ReflectiveOperationException {
        Class<?> type = type("servlet.ErrorPageErrorHandler");
        Request.Handler errors = (Request.Handler) type.getConstructor().newInstance();
        for (var page : site.errorPages().entrySet()) {
            type.getMethod("addErrorPage", int.class, String.class).invoke(errors, page.getKey(), page.getValue());
        }
        return errors;
    }

    /** The exploded WAR, at the given path. */
    ContextHandler webApp(Path directory, String path, ClassLoader parent) {
        try {
            Class<?> type = type("webapp.WebAppContext");
            ContextHandler handler = (ContextHandler) type.getConstructor().newInstance();
            handler.setContextPath(path);
            type.getMethod("setWar", String.class).invoke(handler, directory.toString());
            type.getMethod("setThrowUnavailableOnStartupException", boolean.class)
                    .invoke(handler, true);
            handler.setClassLoader(classLoader(parent, handler));
            return handler;
        } catch (ReflectiveOperationException e) {
            throw unusable(e);
        }
    }

    private ClassLoader classLoader(ClassLoader parent, ContextHandler context) throws ReflectiveOperationException {
        for (Constructor<?> constructor : Class.forName(classLoader).getConstructors()) {
            if (constructor.getParameterCount() == 2) {
                return (ClassLoader) constructor.newInstance(parent, context);
            }
        }
        throw new NoSuchMethodException(classLoader + " with a parent and a context");
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(packages + "." + name);
    }

    private IllegalStateException unusable(ReflectiveOperationException e) {
        return new IllegalStateException("Jetty's " + this + " is not as expected", e);
    }
}
