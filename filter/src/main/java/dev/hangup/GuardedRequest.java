package dev.hangup;

import dev.hangup.call.CallScope;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The request of a call that may be cancelled: reading it is container I/O, which is not interrupted, and an asynchronous cycle
 * begun without arguments keeps the guarded response (Tomcat would hand out its own).
 */
final class GuardedRequest extends GuardedLooks {
    private final CallScope call;
    private final GuardedResponse response;
    private final Ending ending;
    private final Passage passage;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private volatile @Nullable AsyncContext context;

    /** @param response what the application is given with it */
    GuardedRequest(
            CallScope call, HttpServletRequest request, GuardedResponse response, Ending ending, Passage passage) {
        super(ending.io().tenancy, request);
        this.call = call;
        this.response = response;
        this.ending = ending;
        this.passage = passage;
    }

    private HttpServletRequest raw() {
        return (HttpServletRequest) getRequest();
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        ServletInputStream made = stream;
        if (made == null) {
            // Race: a task that starts late, and the end of a response that a cancel has completed. By now the request
            // may be somebody else's.
            ServletInputStream[] container = new ServletInputStream[1];
            ending.io().read(() -> container[0] = raw().getInputStream());
            made = new GuardedInputStream(ending.io(), container[0]);
            stream = made;
        }
        return made;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        BufferedReader made = reader;
        if (made == null) {
            BufferedReader[] container = new BufferedReader[1]; // as getInputStream
            ending.io().read(() -> container[0] = raw().getReader());
            made = new BufferedReader(new GuardedInputStream.Characters(ending.io(), container[0]));
            reader = made;
        }
        return made;
    }

    /** Parameters may read the body. */
    @SuppressWarnings("NullAway") // null where the container says null
    private <T> T read(Supplier<T> parameters) {
        AtomicReference<T> found = new AtomicReference<>();
        try {
            ending.io().read(() -> found.set(parameters.get()));
        } catch (IOException e) {
            throw over(e);
        }
        return found.get();
    }

    private IllegalStateException over(IOException refused) {
        call.throwIfCancelled();
        return new IllegalStateException(refused); // the response is over
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
        return act(raw()::getParts);
    }

    @Override
    public Part getPart(String name) throws IOException, ServletException {
        return act(() -> raw().getPart(name));
    }

    // ---- attributes: those who unwind, and do not know yet that the response is over, look at them and set them
    // without harm

    @Override
    @SuppressWarnings("NullAway") // as getParameter
    public Object getAttribute(String name) {
        return tenancy.look(() -> super.getAttribute(name), () -> null);
    }

    @Override
    public void setAttribute(String name, Object value) {
        tenancy.change(() -> super.setAttribute(name, value));
    }

    @Override
    public void removeAttribute(String name) {
        tenancy.change(() -> super.removeAttribute(name));
    }

    // ---- what changes more than that

    @Override
    public void setCharacterEncoding(String encoding) throws UnsupportedEncodingException {
        try {
            ending.io().read(() -> super.setCharacterEncoding(encoding));
        } catch (UnsupportedEncodingException e) {
            throw e;
        } catch (IOException e) {
            throw over(e);
        }
    }

    /** Of Servlet 6.1, whose wrapper would go past us; 6.0 does not have it. */
    public void setCharacterEncoding(Charset encoding) {
        try {
            setCharacterEncoding(encoding.name());
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException(e); // a charset's own name
        }
    }

    @Override
    public String changeSessionId() {
        return read(super::changeSessionId);
    }

    @Override
    public boolean authenticate(HttpServletResponse response) throws IOException, ServletException {
        return act(() -> super.authenticate(response));
    }

    @Override
    public void login(String user, String password) throws ServletException {
        signed(() -> {
            super.login(user, password);
            return true;
        });
    }

    @Override
    public void logout() throws ServletException {
        signed(() -> {
            super.logout();
            return true;
        });
    }

    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> handler) throws IOException, ServletException {
        return act(() -> super.upgrade(handler));
    }

    private interface Action<T> {
        T run() throws IOException, ServletException;
    }

    @SuppressWarnings("NullAway") // null where the container says null
    private <T> T act(Action<T> action) throws IOException, ServletException {
        AtomicReference<T> found = new AtomicReference<>();
        AtomicReference<@Nullable ServletException> failed = new AtomicReference<>();
        ending.io().read(() -> {
            try {
                found.set(action.run());
            } catch (ServletException e) {
                failed.set(e);
            }
        });
        ServletException failure = failed.get();
        if (failure != null) {
            throw failure;
        }
        return found.get();
    }

    private void signed(Action<Boolean> action) throws ServletException {
        try {
            act(action);
        } catch (IOException e) {
            throw over(e);
        }
    }

    // ---- asynchronous cycles

    /**
     * {@inheritDoc} Without arguments the cycle has the container's own request and response, guarded; filters before ours wrap
     * those again when it is dispatched.
     */
    @Override
    public AsyncContext startAsync() {
        call.throwIfCancelled();
        if (!ending.isWrapped()) {
            return start(this, response, true, origin());
        }
        GuardedResponse plain = new GuardedResponse(ending.own(), ending);
        return start(new GuardedRequest(call, own(), plain, ending, passage), plain, true, origin());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return start(request, response, request == this && response == this.response, null);
    }

    private AsyncContext start(
            ServletRequest request, ServletResponse response, boolean original, @Nullable String origin) {
        call.throwIfCancelled();
        AsyncContext raw = raw().startAsync(request, response);
        passage.follow(raw(), raw);
        AsyncContext started = new GuardedAsyncContext(call, ending, raw, request, response, original, origin);
        context = started;
        if (request instanceof GuardedRequest guarded) {
            guarded.context = started;
        }
        ending.asynchronous(raw);
        return started;
    }

    /**
     * Where a cycle that was begun without arguments is dispatched to: where the container dispatched the request first, not the
     * target of a forward (Servlet 6.0, {@code AsyncContext.dispatch}), which Tomcat puts between this request and its own.
     */
    private String origin() {
        HttpServletRequest own = own();
        return own.getRequestURI().substring(own.getContextPath().length());
    }

    private HttpServletRequest own() {
        return Unwrapped.request(raw());
    }

    /** {@inheritDoc} Outside a cycle it is the container that throws. */
    @Override
    public AsyncContext getAsyncContext() {
        AsyncContext started = context;
        return started == null || !tenancy.look(raw()::isAsyncStarted, () -> true)
                ? tenancy.look(raw()::getAsyncContext)
                : started;
    }
}
