package dev.hangup;

import dev.hangup.call.Arrival;
import dev.hangup.call.CallListener;
import dev.hangup.policy.CallerDeadline;
import dev.hangup.policy.DeadlineHeader;
import dev.hangup.policy.DeadlineHeader.Reading;
import dev.hangup.policy.DeadlineHeaders;
import dev.hangup.policy.Policy;
import dev.hangup.policy.RequestStart;
import dev.hangup.watch.CallerWatch;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of its deadline, and how long it has waited. Headers count only where the peer of the connection's socket is
 * trusted, and that is asked of the container's channel, only if there is such a header. On workers.
 */
final class Arrivals {
    private final List<CallerWatch.Source> sources;
    private final CallListener listener;
    private final Consumer<String> warn;
    private final AtomicBoolean warned = new AtomicBoolean();

    Arrivals(List<CallerWatch.Source> sources, CallListener listener, Consumer<String> warn) {
        this.sources = List.copyOf(sources);
        this.listener = listener;
        this.warn = warn;
    }

    Arrival of(HttpServletRequest request, Policy policy) {
        Duration waited = isHttp2(request) ? waited(request) : Duration.ZERO;
        String startHeader = policy.settings().requestStartHeader();
        if (!isDeclared(request, policy.callerDeadline(), startHeader)
                || !isTrusted(request, policy.callerDeadline())) {
            return waited.isZero() ? Arrival.NOW : new Arrival(waited, null);
        }
        Duration told = startHeader == null ? Duration.ZERO : started(request, startHeader);
        return new Arrival(told.compareTo(waited) > 0 ? told : waited, declared(request, policy.callerDeadline()));
    }

    private static boolean isDeclared(
            HttpServletRequest request, CallerDeadline callers, @Nullable String startHeader) {
        if (startHeader != null && request.getHeader(startHeader) != null) {
            return true;
        }
        for (DeadlineHeader header : callers.headers()) {
            if (request.getHeader(header.field()) != null) {
                return true;
            }
        }
        return false;
    }

    /** The smallest, and at least the floor; null if there is none. */
    private @Nullable Duration declared(HttpServletRequest request, CallerDeadline callers) {
        Duration smallest = null;
        for (DeadlineHeader header : callers.headers()) {
            List<String> lines = lines(request, header.field());
            if (!lines.isEmpty()) {
                Reading reading = DeadlineHeaders.read(header, lines);
                Duration span = reading.span();
                if (reading == Reading.REJECTED) {
                    listener.deadlineHeaderRejected(header.name());
                } else if (span != null && (smallest == null || span.compareTo(smallest) < 0)) {
                    smallest = span;
                }
            }
        }
        return smallest == null || smallest.compareTo(callers.floor()) > 0 ? smallest : callers.floor();
    }

    /** How long ago a proxy took the request in. */
    private Duration started(HttpServletRequest request, String header) {
        List<String> lines = lines(request, header);
        if (lines.isEmpty()) {
            return Duration.ZERO;
        }
        Duration ago = RequestStart.waited(lines, System.currentTimeMillis());
        if (ago == null) {
            listener.deadlineHeaderRejected(header);
        }
        return ago == null ? Duration.ZERO : ago;
    }

    private static List<String> lines(HttpServletRequest request, String field) {
        Enumeration<String> lines = request.getHeaders(field);
        return lines == null ? List.of() : Collections.list(lines);
    }

    /** On HTTP/1.1 no container reads a request before it has a worker for it. */
    private static boolean isHttp2(HttpServletRequest request) {
        return "HTTP/2.0".equals(request.getProtocol());
    }

    private Duration waited(HttpServletRequest request) {
        Duration longest = Duration.ZERO;
        for (CallerWatch.Source source : sources) {
            Duration waited = source.waited(request);
            longest = waited.compareTo(longest) > 0 ? waited : longest;
        }
        return longest;
    }

    private boolean isTrusted(HttpServletRequest request, CallerDeadline callers) {
        try {
            for (CallerWatch.Source source : sources) {
                InetAddress peer = source.peer(request);
                if (peer != null) {
                    return callers.trusts(peer);
                }
            }
        } catch (IOException closed) {
            return false; // its connection has ended, and it will be seen
        }
        if (warned.compareAndSet(false, true)) {
            warn.accept(
                    "the socket's peer cannot be told of " + request.getClass().getName()
                            + ": deadlines that such callers declare do not count, because nobody can be trusted");
        }
        return false;
    }
}
