package dev.hangup.it;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Outside Hangup's filter: who touches a container's request or response that is over, and may be another caller's by now. Not
 * for applications that forward.
 */
final class Recycled implements Filter {

    /** What was touched too late, by which thread, and from where. */
    final Queue<String> touches = new ConcurrentLinkedQueue<>();

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            chain.doFilter(request, response); // wrapped already
            return;
        }
        Life life = new Life();
        try {
            chain.doFilter(
                    new Request((HttpServletRequest) request, life),
                    new Response((HttpServletResponse) response, life));
        } finally {
            if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(life); // told after Hangup, which came first
            } else {
                life.over = true;
            }
        }
    }

    /** Of one request. */
    private final class Life implements AsyncListener {

        volatile boolean over;

        void touch(String method) {
            if (over) {
                StackTraceElement[] frames = Thread.currentThread().getStackTrace();
                touches.add(method + " by " + Thread.currentThread().getName() + " at "
                        + Arrays.asList(frames).subList(2, Math.min(frames.length, 12)));
            }
        }

        <T> T watched(Class<T> type, T real) {
            return type.cast(Proxy.newProxyInstance(
                    Life.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        touch(method.getName());
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }

        @Override
        public void onComplete(AsyncEvent event) {
            over = true;
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }

    private static final class Request extends HttpServletRequestWrapper {

        private final HttpServletRequest real;
        private final Life life;

        Request(HttpServletRequest real, Life life) {
            super(life.watched(HttpServletRequest.class, real));
            this.real = real;
            this.life = life;
        }

        /** Who unwraps it looks for the container's own. */
        @Override
        public ServletRequest getRequest() {
            life.touch("getRequest");
            return real;
        }
    }

    private static final class Response extends HttpServletResponseWrapper {

        private final HttpServletResponse real;
        private final Life life;

        Response(HttpServletResponse real, Life life) {
            super(life.watched(HttpServletResponse.class, real));
            this.real = real;
            this.life = life;
        }

        @Override
        public ServletResponse getResponse() {
            life.touch("getResponse");
            return real;
        }
    }
}
