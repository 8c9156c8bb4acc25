package dev.hangup;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Consequence;
import dev.hangup.call.Consequence.AbortedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application's way into the container's streams and response, on any of its threads. What happens inside is not interrupted
 * (on Tomcat an interrupt there closes the whole connection); once the call is cancelled or its response is over, nobody enters.
 */
final class ContainerIo {
    private static final AtomicIntegerFieldUpdater<ContainerIo> WRITERS =
            AtomicIntegerFieldUpdater.newUpdater(ContainerIo.class, "writers");

    private final Hangup engine;
    private final HttpServletRequest request;
    /** Null where nobody asks. */
    private final @Nullable Progress progress;

    final CallScope call;
    final Turnstile turnstile = new Turnstile();
    final Tenancy tenancy;
    private volatile int writers;
    /** The container has bytes that the caller does not take, and nobody waits inside for that. Written by the application's threads. */
    private volatile boolean writePending;

    ContainerIo(Hangup engine, CallScope call, HttpServletRequest request, @Nullable Progress progress) {
        this.progress = progress;
        this.engine = engine;
        this.call = call;
        this.tenancy = new Tenancy(call);
        this.request = request;
    }

    interface Io {
        void run() throws IOException;
    }

    void read(Io action) throws IOException {
        run(0, action);
    }

    /** The container could not read the body. On a thread of the application's, while it may still ask the connection why. */
    void readFailed(Throwable failure) {
        CancelReason left = isRefused() ? null : CutBody.cause(failure, engine.end(call));
        if (left != null) {
            gone(left);
        }
    }

    void write(Io action) throws IOException {
        run(1, action);
    }

    /** What the call was cancelled by meanwhile is raised as the stream's own exception. */
    private void run(int writing, Io action) throws IOException {
        if (isRefused() || !turnstile.enter()) {
            throw refusal(null);
        }
        @Nullable IOException failure = null;
        boolean ended = false;
        boolean raise = false;
        CallScope.enterGuard();
        try {
            WRITERS.addAndGet(this, writing);
            action.run();
            if (progress != null && writing > 0) {
                progress.moved();
            }
            ended = true;
        } catch (IOException e) {
            failure = e;
            ended = true;
            call.suspectDeparture(true); // a stream of HTTP/2 says so; a connection is looked at all the time
            if (writing == 0) {
                readFailed(e);
            } else {
                writeFailed(e);
            }
        } catch (RuntimeException e) {
            if (!isRefused()) {
                throw e;
            }
            failure = new IOException(e); // Jetty, under whose writers a reset has recycled the response
            ended = true;
        } finally {
            WRITERS.addAndGet(this, -writing);
            leave();
            if (ended) {
                raise = CallScope.leaveGuard();
            } else {
                CallScope.leaveGuardQuietly(); // the application's exception goes on its way, and says nothing of a
                // cancel
            }
        }
        if (raise || (failure != null && isRefused())) {
            throw refusal(failure); // the connection is gone, or was broken to end just this
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The container could not write: it may be the first to hear of a reset, and the application ends before the watcher comes. */
    private void writeFailed(Throwable failure) {
        if (!isRefused()) {
            CancelReason end = BrokenPipe.isCause(failure) ? CancelReason.CALLER_RESET : engine.end(call);
            if (end == CancelReason.CALLER_RESET || end == CancelReason.STREAM_RESET) {
                gone(end);
            }
        }
    }

    /**
     * The container ends the response because of an error: the reset of a stream, perhaps, before any watch has come by, and so
     * nobody would ever tell those who work on. On the container's thread.
     */
    void responseFailed() {
        if (!isRefused() && engine.end(call) == CancelReason.STREAM_RESET) {
            call.callerGone(CancelReason.STREAM_RESET);
        }
    }

    /** A stream may find its connection broken before the container has told its streams: within the turnstile, so not recycled. */
    private void gone(CancelReason cause) {
        call.callerGone(request.getProtocol().startsWith("HTTP/2") ? CancelReason.STREAM_RESET : cause);
    }

    /** A question for which the container may do I/O; {@code otherwise} where nobody enters any more. */
    boolean ask(boolean otherwise, BooleanSupplier question) {
        if (isRefused() || !turnstile.enter()) {
            return otherwise;
        }
        CallScope.enterGuard();
        try {
            return question.getAsBoolean();
        } finally {
            leave();
            CallScope.leaveGuardQuietly();
        }
    }

    /** Whether more may be written; true where nobody enters any more: the write that follows says so. */
    boolean isReady(BooleanSupplier container) {
        return ask(true, () -> {
            boolean ready = container.getAsBoolean();
            writePending = !ready;
            return ready;
        });
    }

    /** A change without I/O; dropped where nobody enters any more. */
    void change(Runnable change) {
        if (!isRefused() && turnstile.enter()) {
            try {
                change.run();
            } finally {
                leave();
            }
        }
    }

    /** A listener's work for a stream, on a thread of the container's. */
    void listen(Io work) throws IOException {
        call.attach();
        try {
            work.run();
        } catch (IOException | RuntimeException e) {
            if (!Consequence.of(call, e)) {
                throw e;
            }
        } finally {
            call.leave();
        }
    }

    void listen(Consumer<Throwable> work, Throwable failure) {
        call.attach();
        try {
            work.accept(failure);
        } finally {
            call.leave();
        }
    }

    boolean isRefused() {
        return call.isCancelled() || call.isResponseOver();
    }

    /** A write that blocks has sent the head before. Once more: a writer found first may have left, and then committed. */
    boolean isInWrite(HttpServletResponse response) {
        try {
            return writers > 0 && response.isCommitted() && writers > 0;
        } catch (RuntimeException recycled) {
            return false; // by Jetty: see Passage#onError
        }
    }

    boolean isWritePending() {
        return writePending;
    }

    private void leave() {
        if (turnstile.leave()) {
            call.completeIfCancelled(); // whoever shut it has found us inside
        }
    }

    private AbortedException refusal(@Nullable IOException cause) {
        String why =
                call.isCancelled() ? " is cancelled: " + call.cancelReason().orElseThrow() : " is over";
        return new AbortedException(call.endpoint() + why, cause);
    }
}
