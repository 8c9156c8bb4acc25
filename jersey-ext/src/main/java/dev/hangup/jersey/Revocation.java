package dev.hangup.jersey;

import dev.hangup.call.Delay;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import org.glassfish.jersey.client.ClientRequest;

/**
 * Breaks an asynchronous request off when the future that its sender was given is cancelled. Jersey tells so to whoever asks the
 * request, and to nobody else: it is asked ten times a second, until the future has its answer.
 */
final class Revocation implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);

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
            Future<?> unused = Delay.run(PAUSE, this::look);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
