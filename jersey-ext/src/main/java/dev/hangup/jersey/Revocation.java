package dev.hangup.jersey;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.client.ClientRequest;

/**
 * Breaks an asynchronous request off when the future that its sender was given is cancelled. Jersey tells so to whoever asks the
 * request, and to nobody else: it is asked ten times a second, until the future has its answer.
 */
final class Revocation implements AutoCloseable {
    /** The common pool is not ours to wait for: the application may block in it for as long as it likes. */
    private static final Executor LOOKS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "hangup-revocation");
                thread.setDaemon(true);
                return thread;
            });

    private static final Executor LATER = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, LOOKS);

    private final ClientRequest request;
    private final Leg leg;
    /** Written by the thread that sends. */
    private volatile boolean closed;

    private Revocation(ClientRequest request, Leg leg) {
        this.request = request;
        this.leg = leg;
    }

    /** Before it is sent. */
    static Revocation of(ClientRequest request, Leg leg) {
        Revocation revocation = new Revocation(request, leg);
        revocation.look();
        return revocation;
    }

    private void look() {
        if (closed) {
            return;
        }
        if (request.isCancelled()) {
            leg.stop(new CancellationException("the request's future was cancelled"));
        } else {
            LATER.execute(this::look);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
