package dev.hangup;

import dev.hangup.call.CallScope;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The request of a call that may be cancelled: reading it is container I/O, which is not interrupted, and an asynchronous cycle
 * begun without arguments keeps the guarded response (Tomcat would hand out its own).
 */
final class GuardedRequest extends HttpServletRequestWrapper {
    private final CallScope call;
    private final GuardedResponse guard;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private volatile @Nullable AsyncContext context;

    GuardedRequest(CallScope call, HttpServletRequest request, GuardedResponse guard) {
        super(request);
        this.call = call;
        this.guard = guard;
    }

    private HttpServletRequest raw() {
        return (HttpServletRequest) getRequest();
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (stream == null) {
            stream = new GuardedInputStream(guard, raw().getInputStream());
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (reader == null) {
            reader = new BufferedReader(new GuardedInputStream.Characters(guard, raw().getReader()));
        }
        return reader;
    }

    /** Parameters and parts may read the body. */
    private <T> T read(Supplier<T> action) {
        CallScope.enterGuard();
        boolean raise;
        T result;
        try {
            result = action.get();
        } finally {
            raise = CallScope.leaveGuard();
        }
        if (raise) {
            call.throwIfCancelled();
        }
        return result;
    }

    @Override
    @SuppressWarnings("NullAway") // the servlet API is not annotated: null where there is no such parameter
    public String getParameter(String name) {
        return read(() -> super.getParameter(name));
    }

    @Override
    @SuppressWarnings("NullAway") // as getParameter
    public String[] getParameterValues(String name) {
        return read(() -> super.getParameterValues(name));
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return read(super::getParameterMap);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return read(super::getParameterNames);
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        CallScope.enterGuard();
        try {
            return raw().getParts();
        } finally {
            CallScope.leaveGuard(); // raised at the next read or write
        }
    }

    @Override
    public Part getPart(String name) throws IOException, ServletException {
        CallScope.enterGuard();
        try {
            return raw().getPart(name);
        } finally {
            CallScope.leaveGuard();
        }
    }

    // ---- asynchronous cycles

    @Override
    public AsyncContext startAsync() {
        return start(this, guard, true);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return start(request, response, request == this && response == guard);
    }

    private AsyncContext start(ServletRequest request, ServletResponse response, boolean original) {
        call.throwIfCancelled();
        AsyncContext raw = raw().startAsync(request, response);
        context = new GuardedAsyncContext(guard, raw, request, response, original);
        guard.asynchronous(raw);
        return context;
    }

    @Override
    public AsyncContext getAsyncContext() {
        AsyncContext started = context;
        return started == null ? raw().getAsyncContext() : started;
    }
}
