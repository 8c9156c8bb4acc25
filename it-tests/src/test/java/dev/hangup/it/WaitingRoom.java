package dev.hangup.it;

import dev.hangup.call.Call;
import dev.hangup.call.CallScope;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;

/**
 * A servlet whose callers wait, each known by the last segment of its path, until the test serves it or the worker is
 * interrupted. It reads a request's whole body first.
 */
final class WaitingRoom extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, Visit> visits = new ConcurrentHashMap<>();

    /** One caller's stay. */
    static final class Visit {
        /** As the container names it, for example {@code HTTP/1.1}. */
        volatile String protocol = "";

        /** Complete when the call has begun. */
        private final CompletableFuture<CallScope> begun = new CompletableFuture<>();
        /** Complete with its checksum when the body is read; exceptionally, if that has failed. */
        final CompletableFuture<Long> body = new CompletableFuture<>();

        private final CountDownLatch served = new CountDownLatch(1);

        /** Waits until it has begun. */
        CallScope call() throws InterruptedException {
            try {
                return begun.get(15, TimeUnit.SECONDS);
            } catch (TimeoutException | java.util.concurrent.ExecutionException e) {
                throw new AssertionError("the request has not arrived", e);
            }
        }

        boolean hasBegun() {
            return begun.isDone();
        }

        void serve() {
            served.countDown();
        }
    }

    Visit visit(String id) {
        return visits.computeIfAbsent(id.substring(id.lastIndexOf("/") + 1), unknown -> new Visit());
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Visit visit = visit(request.getRequestURI());
        visit.protocol = request.getProtocol();
        visit.begun.complete((CallScope) Call.current());
        try {
            read(request, visit);
            if (visit.served.await(20, TimeUnit.SECONDS)) {
                response.getOutputStream().print("served");
            }
        } catch (InterruptedException e) {
            return; // nobody waits any more
        }
    }

    private static void read(HttpServletRequest request, Visit visit) throws IOException {
        try {
            CRC32 checksum = new CRC32();
            byte[] buffer = new byte[8192];
            for (int n = 0; n >= 0; n = request.getInputStream().read(buffer)) {
                checksum.update(buffer, 0, n);
            }
            visit.body.complete(checksum.getValue());
        } catch (IOException | RuntimeException e) {
            visit.body.completeExceptionally(e);
            throw e;
        }
    }
}
