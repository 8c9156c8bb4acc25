package dev.hangup.it;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The outermost filter, outside Hangup's: it sees when a worker comes and when it is given back to the container, and whether it
 * comes or goes with an interrupt pending. A request is known by its query string.
 */
public final class Turnstile implements Filter {

    public final AtomicInteger requests = new AtomicInteger();
    /** How many times a thread passed with its interrupt flag set, on its way in or out. */
    public final AtomicInteger interrupted = new AtomicInteger();

    private final AtomicInteger inside = new AtomicInteger();
    private final Map<String, Long> left = new ConcurrentHashMap<>();

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        look();
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            requests.incrementAndGet();
        }
        inside.incrementAndGet();
        try {
            chain.doFilter(request, response);
        } finally {
            inside.decrementAndGet();
            look();
            String id = ((HttpServletRequest) request).getQueryString();
            if (id != null) {
                left.put(id, System.nanoTime());
            }
        }
    }

    private void look() {
        if (Thread.currentThread().isInterrupted()) {
            interrupted.incrementAndGet();
        }
    }

    /** How many workers are between coming and going. */
    public int inside() {
        return inside.get();
    }

    /**
     * The instant in which the worker of this request was given back.
     *
     * @throws NullPointerException with the id, if it was not
     */
    public long leftAt(String id) {
        return Objects.requireNonNull(left.get(id), id);
    }
}
