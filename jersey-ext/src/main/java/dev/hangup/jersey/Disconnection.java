package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ConnectionCallback;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;

/**
 * The departure of a suspended response's caller, told to each {@link ConnectionCallback} once: by the watch, in every mode, or
 * by Jersey, whose write has failed first. Any thread.
 */
final class Disconnection {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final CallScope call;
    private final AsyncResponse response;
    private final BooleanSupplier answered;
    /** Guarded by this, as {@code over}. */
    private final List<ConnectionCallback> callbacks = new ArrayList<>(1);

    private boolean over;
    private final FutureTask<Void> telling = new FutureTask<>(this::tell, null);

    /** @param answered whether the answer is out */
    Disconnection(CallScope call, AsyncResponse response, BooleanSupplier answered) {
        this.call = call;
        this.response = response;
        this.answered = answered;
    }

    /** One that comes after the departure is told at once, on this thread. */
    void add(ConnectionCallback callback) {
        boolean late;
        boolean first;
        synchronized (this) {
            late = over;
            first = !late && callbacks.isEmpty();
            if (!late) {
                callbacks.add(callback);
            }
        }
        if (late) {
            tell(callback);
        } else if (first) {
            call.onCallerGone(cause -> seen()); // withdrawn with the call's end
        }
    }

    /** By the watch. The answer of a call that goes on may be out, and the call about to end. */
    private void seen() {
        if (!answered.getAsBoolean()) {
            happened();
        }
    }

    /** Tells it, unless somebody does already: perhaps a callback, on this very thread, whose answer could not be written. */
    void happened() {
        telling.run();
    }

    /** Until all of them were told. */
    void await() {
        try {
            telling.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void tell() {
        List<ConnectionCallback> all;
        synchronized (this) {
            over = true;
            all = List.copyOf(callbacks);
        }
        all.forEach(this::tell);
    }

    private void tell(ConnectionCallback callback) {
        try {
            callback.onDisconnect(response);
        } catch (Throwable e) { // whatever it is, the others are told, and the response ends
            LOG.log(Level.WARNING, call.endpoint() + ": a ConnectionCallback has failed", e);
        }
    }
}
