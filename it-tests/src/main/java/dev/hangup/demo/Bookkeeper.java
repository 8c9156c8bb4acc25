package dev.hangup.demo;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Books when work begins and ends and how long it holds its connection. It stands around everything else, as the outermost
 * filter and the outermost DataSource, so that it times Hangup as part of the application.
 */
final class Bookkeeper implements Filter {
    private final Ledger ledger;
    private static final ThreadLocal<@Nullable Attempt> CURRENT = new ThreadLocal<>();

    Bookkeeper(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String path = ((HttpServletRequest) request).getRequestURI();
        Attempt attempt = ledger.attempt(number(path.substring(path.lastIndexOf('/') + 1)));
        if (attempt == null) {
            // a visitor with a browser or curl
            chain.doFilter(request, response);
            return;
        }
        CURRENT.set(attempt);
        attempt.beganAt = Attempt.now();
        try {
            chain.doFilter(request, response);
        } finally {
            attempt.endedAt = Attempt.now();
            CURRENT.remove();
        }
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    /** The same connections, with their borrows booked. */
    DataSource book(DataSource dataSource) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            Object result = invoke(dataSource, method, arguments);
            Attempt attempt = CURRENT.get();
            if (attempt == null || !(result instanceof Connection connection)) {
                return result;
            }
            attempt.borrowedAt = Attempt.now();
            return book(connection, attempt);
        });
    }

    private static Connection book(Connection connection, Attempt attempt) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            boolean closes = method.getName().equals("close");
            try {
                Object result = invoke(connection, method, arguments);
                if (method.getName().equals("commit")) {
                    attempt.committedAt = Attempt.now();
                }
                return result;
            } finally {
                if (closes) {
                    attempt.returnedAt = Attempt.now();
                }
            }
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNullElse(e.getCause(), e);
        }
    }
}
