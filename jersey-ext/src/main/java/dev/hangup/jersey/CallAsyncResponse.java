package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.CompletionCallback;
import jakarta.ws.rs.container.ConnectionCallback;
import jakarta.ws.rs.container.TimeoutHandler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The suspended response of a call, as the resource gets it. Jersey hears of a departure when a write fails, if ever: here the
 * callbacks are told when the watch sees it, and when the call is cancelled the response is resumed with that, on a canceller.
 *
 * <p>Race: a cancel, the application's own ends of the response, on several threads perhaps, a timeout, and a method that fails.
 * Jersey looks whether the response is suspended and then marks it: two who come at once both answer, and completion is told twice.
 * Here one of them has the turn. Once anybody has seen the call cancelled it is the cancel's, and the application's end comes to
 * nothing and is told so, although the canceller may not have come by yet.
 */
final class CallAsyncResponse implements AsyncResponse {
    private final RequestCalls calls;
    private final CallScope call;
    private final AsyncResponse jersey;
    private final Function<Class<?>, Object> instances;
    private final Disconnection disconnection;
    private final AtomicReference<Turn> turn = new AtomicReference<>(Turn.NOBODYS);
    /** The application has ended the response, before any cancel. Written by whoever has the turn. */
    private volatile boolean ended;

    private enum Turn {
        NOBODYS,
        APPLICATIONS,
        /** Nobody has come by yet to answer it. */
        CANCELS,
        TAKEN
    }

    /** @param instances makes callbacks that are registered by their class */
    CallAsyncResponse(RequestCalls calls, CallScope call, AsyncResponse jersey, Function<Class<?>, Object> instances) {
        this.calls = calls;
        this.call = call;
        this.jersey = jersey;
        this.instances = instances;
        this.disconnection = new Disconnection(call, this, () -> ended && jersey.isDone());
    }

    /** From now on a cancel resumes it. On the method's thread. */
    CallAsyncResponse follow() {
        jersey.setTimeoutHandler(response -> resume(new ServiceUnavailableException()));
        call.completer(this::cancelled);
        return this;
    }

    private void cancelled() {
        if (call.cancelReason().map(CancelReason::callerGone).orElse(false)) {
            disconnection.happened(); // before its completion, and perhaps under way on another canceller
            disconnection.await();
        }
        if (isTheCancels() && takes() && !calls.isOver()) {
            jersey.resume(Cancelled.exception(call));
        }
    }

    /** The method has failed. False if the cancel is answered already: Jersey would answer a second time. On the method's thread. */
    boolean fails() {
        return (!isTheCancels() && turn.compareAndSet(Turn.NOBODYS, Turn.APPLICATIONS))
                || turn.get() == Turn.APPLICATIONS // and resumed before, which is Jersey's to judge
                || takes();
    }

    Disconnection disconnection() {
        return disconnection;
    }

    private boolean takes() {
        return turn.compareAndSet(Turn.CANCELS, Turn.TAKEN);
    }

    private boolean isTheCancels() {
        if (call.isCancelled()) {
            turn.compareAndSet(Turn.NOBODYS, Turn.CANCELS);
        }
        Turn now = turn.get();
        return now == Turn.CANCELS || now == Turn.TAKEN;
    }

    private boolean end(Supplier<Boolean> action) {
        if (isTheCancels() || !turn.compareAndSet(Turn.NOBODYS, Turn.APPLICATIONS)) {
            return false;
        }
        boolean first = action.get();
        if (first) {
            ended = true;
        }
        return first;
    }

    @Override
    public boolean resume(Object answer) {
        return end(() -> jersey.resume(answer));
    }

    @Override
    public boolean resume(Throwable failure) {
        return end(() -> jersey.resume(failure));
    }

    @Override
    public boolean cancel() {
        return isCancelled() || end(jersey::cancel);
    }

    @Override
    public boolean cancel(int retryAfter) {
        return isCancelled() || end(() -> jersey.cancel(retryAfter));
    }

    @Override
    public boolean cancel(Date retryAfter) {
        return isCancelled() || end(() -> jersey.cancel(retryAfter));
    }

    @Override
    public boolean isSuspended() {
        return !isCancelled() && jersey.isSuspended();
    }

    @Override
    public boolean isCancelled() {
        return jersey.isCancelled() || isTheCancels();
    }

    @Override
    public boolean isDone() {
        return isCancelled() || jersey.isDone();
    }

    @Override
    public boolean setTimeout(long time, TimeUnit unit) {
        return !isCancelled() && jersey.setTimeout(time, unit);
    }

    @Override
    @SuppressWarnings("NullAway") // null is Jersey's to refuse or to take
    public void setTimeoutHandler(TimeoutHandler handler) {
        jersey.setTimeoutHandler(handler == null ? null : response -> timedOut(handler));
    }

    /** As Jersey does, which would take its own turn. */
    private void timedOut(TimeoutHandler handler) {
        try {
            handler.handleTimeout(this);
        } catch (RuntimeException e) {
            resume(e);
        }
    }

    // ---- callbacks

    /** Jersey has of a callback what it tells truly, and hears of the connection only to tell us. */
    @Override
    public Collection<Class<?>> register(Object callback) {
        if (!(callback instanceof ConnectionCallback connection)) {
            return jersey.register(callback);
        }
        List<Class<?>> contracts = new ArrayList<>(2);
        if (callback instanceof CompletionCallback completion) {
            contracts.addAll(jersey.register(new Completion(completion)));
        }
        disconnection.add(connection);
        jersey.register((ConnectionCallback) response -> disconnection.happened());
        contracts.add(ConnectionCallback.class);
        return contracts;
    }

    @Override
    public Collection<Class<?>> register(Class<?> callback) {
        return ConnectionCallback.class.isAssignableFrom(callback)
                ? register(instances.apply(callback))
                : jersey.register(callback);
    }

    @Override
    public Map<Class<?>, Collection<Class<?>>> register(Class<?> callback, Class<?>... callbacks) {
        List<Class<?>> all = List.of(callbacks); // which refuses null before any is registered
        Map<Class<?>, Collection<Class<?>>> contracts = new LinkedHashMap<>();
        contracts.put(callback, register(callback));
        all.forEach(each -> contracts.put(each, register(each)));
        return contracts;
    }

    @Override
    public Map<Class<?>, Collection<Class<?>>> register(Object callback, Object... callbacks) {
        List<Object> all = List.of(callbacks);
        Map<Class<?>, Collection<Class<?>>> contracts = new LinkedHashMap<>();
        contracts.put(callback.getClass(), register(callback));
        all.forEach(each -> contracts.put(each.getClass(), register(each)));
        return contracts;
    }

    /** Keeps from Jersey that its callback is one for the connection, too. */
    private record Completion(CompletionCallback callback) implements CompletionCallback {
        @Override
        public void onComplete(Throwable failure) {
            callback.onComplete(failure);
        }
    }
}
