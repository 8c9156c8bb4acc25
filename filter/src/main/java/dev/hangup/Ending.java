package dev.hangup;

import dev.hangup.call.CallResponse;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Connection;
import dev.hangup.call.Log;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the response of a call ends that may be cancelled: with {@link Farewell} if nothing has been sent, else broken off.
 *
 * <p>Race: the answer to a cancel, on whatever thread, and an application's thread that is in mid-write. The {@link Turnstile}
 * keeps them apart: the answer is given when nobody is inside, by the last to leave if need be.
 *
 * <p>An asynchronous answer is claimed within the peer lock, while the response cannot end, and given outside it, because the
 * container takes locks of its own in {@code complete()}, whose holders may wait for the peer lock. Meanwhile it is the turnstile
 * that holds off the end: whoever claims is inside before he gives the lock back.
 */
final class Ending implements CallResponse {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final CallScope call;
    private final HttpServletResponse raw;
    private final Settings settings;
    private final @Nullable Progress progress;
    private final ContainerIo io;
    private final Answer answer;
    private final AsyncCycle cycle = new AsyncCycle();
    private final BodyLength length = new BodyLength();
    private final HeadBefore before = new HeadBefore();
    /** The application has given its whole answer, and closed the body, before any cancel. */
    private volatile boolean answered;
    /** Ours to be completed, once nobody is inside. Guarded by the peer lock. */
    private @Nullable AsyncContext claimed;
    /** We have made a pending write fail. Guarded by the peer lock. */
    private boolean broken;

    /**
     * Who gives the asynchronous answer just now. Written by that thread, first within the peer lock. Read by whoever waits for it,
     * and by itself: a container may run listeners, and with them this class, inside the call by which we complete.
     */
    private volatile @Nullable Thread answering;

    Ending(Hangup engine, CallScope call, HttpServletRequest request, HttpServletResponse raw, Settings settings) {
        this.call = call;
        this.raw = raw;
        this.settings = settings;
        this.progress = call.treatment().coversFirstByte() ? new Progress(raw) : null;
        this.io = new ContainerIo(engine, call, request, progress);
        this.answer = new Answer(engine, call, request, settings, before);
    }

    /** What the application is given. */
    GuardedResponse response() {
        return new GuardedResponse(raw, this);
    }

    /**
     * The container's own response, without what filters before ours have wrapped around it: they have left when an asynchronous
     * answer is given, and finish nothing any more.
     */
    HttpServletResponse own() {
        return Unwrapped.response(raw);
    }

    boolean isWrapped() {
        return own() != raw;
    }

    /** The application has closed the body, all of it, before any cancel. */
    void closed() {
        answered = !io.isRefused();
    }

    BodyLength length() {
        return length;
    }

    /** Whether a long write is to be cut into pieces. */
    boolean isInPieces() {
        return progress != null;
    }

    HeadBefore before() {
        return before;
    }

    ContainerIo io() {
        return io;
    }

    // ---- synchronous

    /**
     * On the worker, after it has left the call and before the response is over.
     *
     * @param dispatched whether asynchronously, so that filters before ours have left their first wrappers behind
     * @param whole whether the answer is sent at once: the container is about to hear of a failure, and would put its own answer, or
     *     the application's error page, in the place of one that is still in the buffer
     */
    void farewell(boolean dispatched, boolean whole) {
        boolean alone = io.turnstile.shut();
        HttpServletResponse response = dispatched ? own() : raw;
        CancelReason reason = call.cancelReason().orElseThrow();
        answer.give(response, reason, alone, isAnswered());
        // Tomcat takes the reset of a stream for a failure, too.
        if (answer.isGiven() && (whole || reason == CancelReason.STREAM_RESET)) {
            answer.send(response);
        }
    }

    /**
     * The response is about to be over: nobody enters any more, and whoever is inside comes out first. Tomcat, whose write has
     * failed on a thread of the application's, ends the request at once on another, and gives response and buffers to the next
     * connection while the first thread is still in them: that was seen to put bytes into somebody else's response. The same for
     * an answer of ours that is being given outside the peer lock: it either is through, or never begins.
     */
    void settle() {
        io.tenancy.end(PATIENCE);
        io.turnstile.close();
        if (!io.turnstile.awaitOthers(PATIENCE)) {
            if (answering == null) {
                call.abort();
            }
            if (!io.turnstile.awaitOthers(PATIENCE)) {
                Log.log(Level.WARNING, call.endpoint() + ": a thread does not leave a response that is over", null);
            }
        }
    }

    // ---- asynchronous, on the application's threads and the container's

    /** A cancel between the start of the cycle and here has found nothing to complete: look again after telling. */
    void asynchronous(AsyncContext context) {
        cycle.begin(context);
        completeIfCancelled();
    }

    /**
     * The application completes or dispatches. A worker that has seen the cancel may come here before the canceller, and must
     * not complete an empty success, so it completes what the canceller would.
     */
    void end(AsyncContext context, Runnable action) {
        CallScope.enterGuard();
        try {
            if (!call.isCancelled()) {
                cycle.end(context, action);
            }
            // Also afterwards: what the container has refused goes on, and a cancel meanwhile has found nothing to do.
            completeIfCancelled();
        } finally {
            CallScope.leaveGuardQuietly();
        }
    }

    /** The application says that the answer is whole. The container sends its last byte before it tells its listeners. */
    void complete(AsyncContext context) {
        end(context, () -> {
            boolean before = answered;
            answered = true;
            try {
                context.complete();
                cycle.completed();
            } catch (RuntimeException e) {
                answered = before;
                throw e;
            }
        });
    }

    /** What else the application does to a cycle; it cannot know that the cycle has just been completed. */
    void unlessOurs(Runnable action) {
        try {
            if (!cycle.isOurs()) {
                action.run();
            }
        } catch (IllegalStateException e) {
            if (!cycle.isOurs()) {
                throw e;
            }
        }
    }

    /** The container ends the cycle, on this thread; not before an answer that is being given to a cancel is whole. */
    void leaveToContainer() {
        if (answering != Thread.currentThread()) {
            call.completeNow();
        }
        if (!cycle.release()) {
            completeIfCancelled();
            if (answering != null) {
                io.turnstile.awaitOthers(PATIENCE);
            }
        }
    }

    /**
     * The application has failed, and the container is about to hear of that, which would put its own answer, or the application's
     * error page, in the place of one that waits to be completed. On the container's thread, within its dispatch.
     */
    void leaveFailed() {
        leaveToContainer();
        if (cycle.isOurs() && io.turnstile.awaitOthers(PATIENCE) && answer.isGiven()) {
            answer.send(own());
        }
    }

    /** Whoever has been inside, or was told of a failure, has kept a cancel waiting. */
    void completeIfCancelled() {
        if (answering != Thread.currentThread()) {
            call.completeIfCancelled();
        }
    }

    // ---- on cancellers

    @Override
    public boolean isAnswered() {
        return answered || answer.isGiven() || length.isWhole();
    }

    @Override
    public int moves() {
        return progress == null ? 0 : progress.moves();
    }

    @Override
    public boolean inWrite() {
        return io.isInWrite(raw);
    }

    @Override
    public boolean holdsCaller() {
        boolean completed = cycle.isOurs() && claimed == null;
        return !cycle.isOpen() && !completed && !isAnswered();
    }

    @Override
    public @Nullable Runnable completion(CancelReason reason, @Nullable Connection connection) {
        AsyncContext context = cycle.claim();
        if (context != null) {
            claimed = context;
            endAfter(call.treatment().stuckAfter());
        }
        AsyncContext mine = claimed;
        if (cycle.isLeft()) {
            endAfter(PATIENCE); // Jetty tells nobody, if the stream has been reset in the meantime
        }
        if (mine == null || !io.turnstile.shut()) {
            return null; // not asynchronous, or somebody else's; or the last to leave comes here again
        }
        if (failsFirst(connection) || !io.turnstile.enterAlone()) {
            return null; // whoever hears of the failure comes here again; or the response is over
        }
        claimed = null;
        answering = Thread.currentThread();
        return () -> complete(mine, reason);
    }

    /** Inside the turnstile, where the end of the response waits for us, and outside the peer lock: the container takes locks here. */
    private void complete(AsyncContext mine, CancelReason reason) {
        try {
            answer.give(own(), reason, true, isAnswered());
            mine.complete();
        } catch (RuntimeException e) { // by Jetty's recycling, any
            Log.log(Level.DEBUG, call.endpoint() + ": an asynchronous call ended while it was completed", e);
        } finally {
            answering = null;
            io.turnstile.leave();
            endAfter(settings.grace());
        }
    }

    /** The call ends when the container says so to its listeners, and does not hang on one that forgets to, once the cycle is ours. */
    private void endAfter(Duration patience) {
        call.runtime().at(System.nanoTime() + patience.toNanos(), call::responseOver);
    }

    /** A pending write would keep the completion waiting for a caller who does not read: it is made to fail before. */
    private boolean failsFirst(@Nullable Connection connection) {
        if (!io.isWritePending() || broken) {
            return false;
        }
        Connection known = connection == null ? answer.wire() : connection;
        if (known != null) {
            broken = true;
            known.abortPendingWrite();
        }
        return known != null;
    }
}
