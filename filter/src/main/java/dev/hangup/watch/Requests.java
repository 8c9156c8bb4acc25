package dev.hangup.watch;

import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

/** What watches ask of the request that the filter was given. */
public final class Requests {
    private Requests() {}

    /** The container's own request, below the wrappers of filters that came first. */
    public static Object unwrap(Object request) {
        Object inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner;
    }

    /** Whether the body comes in chunks, whose end is not announced. */
    public static boolean isChunked(Object request) {
        return request instanceof HttpServletRequest http && http.getHeader("Transfer-Encoding") != null;
    }

    /** RFC 9112 section 6.3: a request without Content-Length and Transfer-Encoding has no body. For HTTP/1 only. */
    public static boolean mayHaveBody(Object request) {
        return !(request instanceof HttpServletRequest http)
                || http.getContentLengthLong() > 0
                || http.getHeader("Transfer-Encoding") != null;
    }
}
