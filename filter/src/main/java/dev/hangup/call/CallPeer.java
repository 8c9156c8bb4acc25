package dev.hangup.call;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a call shows of its caller's side: request, response and connection, each looked at within the peer lock. */
abstract class CallPeer extends PeerLock {
    /** Guarded by the peer lock, except for the first write; cleared when the response is over. */
    private @Nullable Object peer;

    /** The same, but written before the call is anybody else's. */
    @Nullable
    Object reply;

    /** Written by the thread that began the call, which does not hold the lock. */
    private volatile @Nullable CallResponse response;
    /** Guarded by the peer lock. */
    private @Nullable Connection connection;

    /** A framework's, which has its turn first. Written by whoever registers it, cleared after its turn and with the call's end. */
    private volatile @Nullable Completer completer;

    /** Written by the watcher. */
    private int movesSeen;

    CallPeer(@Nullable Object peer) {
        this.peer = peer;
    }

    /** The last hold on the call is gone. Called once, on the thread that gave it up. */
    abstract void end();

    /** The caller has left; see {@link CallScope}. */
    abstract void callerGone(CancelReason cause, boolean believed);

    /**
     * Runs {@code look} on the peer (the request) while the response cannot end. Never waits: false if the response is over
     * ({@link #isResponseOver()}) or if another thread is looking just now. {@code look} must not block.
     */
    public final boolean tryLook(Consumer<Object> look) {
        return tryLook() && looking(peer, look);
    }

    /** As {@link #tryLook}, at what the caller is answered with (the container's response, or its type). Runs nothing where that is not known. */
    public final boolean tryLookAtReply(Consumer<Object> look) {
        return tryLook() && looking(reply, look);
    }

    /** A framework knows by the route of which media type the answer will be; that counts in place of what the response says. On a worker. */
    public final void replies(String type) {
        if (look()) {
            reply = type;
            lookDone();
        }
    }

    /** Set by the front door before the application runs, on the thread that began the call. */
    public final void response(CallResponse response) {
        this.response = response;
    }

    /** Set by a watch, within {@link #tryLook}. */
    public final void connection(Connection connection) {
        this.connection = connection;
    }

    /** Whether the whole answer has been given: whoever leaves now has got it, and no deadline matters. Any thread. */
    final boolean isAnswered() {
        CallResponse seen = response;
        return seen != null && seen.isAnswered();
    }

    /** Whether the answer has begun, and has moved on since this was asked before. On the watcher. */
    final boolean hasMoved() {
        CallResponse seen = response;
        int before = movesSeen;
        movesSeen = seen == null ? 0 : seen.moves();
        return movesSeen != before;
    }

    /** The response has just become asynchronous: completes it if the call stands cancelled. Left to a canceller where a framework comes first. */
    public final void completeIfCancelled() {
        CancelReason reason = reason();
        if (reason != null && completer == null) {
            completeAsync(reason);
        }
    }

    /** Breaks the caller's connection so that a truncated response cannot look complete; false if no watch knows it. */
    public final boolean abort() {
        boolean[] aborted = new boolean[1];
        if (look()) {
            looking(connection, wire -> {
                wire.abort();
                aborted[0] = true;
            });
        }
        return aborted[0];
    }

    /** The response is over: nothing of ours touches it, the request or the channel any more. The first call counts; any thread. */
    public final void responseOver() {
        if (shut()) {
            Connection wire = connection;
            peer = null;
            reply = null;
            response = null;
            connection = null;
            if (wire != null) {
                Ladder.step("letting go of the connection", wire::over);
            }
            if (release()) {
                end();
            }
        }
    }

    /** The deadline has been written: a watch that has begun is told, one that begins afterwards reads it. */
    final void deadlineMoved() {
        if (look()) {
            looking(connection, Connection::deadlineMoved);
        }
    }

    /**
     * The response has failed, or is about to end: perhaps because the caller has left, which the container may know before the
     * watch looks again. On a thread of the container's, before {@link #responseOver}.
     *
     * @param unfinished whether there is something left to cancel; otherwise a departure is counted only
     */
    public final void suspectDeparture(boolean unfinished) {
        if (isLost()) {
            callerGone(CancelReason.STREAM_RESET, unfinished);
        }
    }

    /** Whether the container knows that the caller's stream is lost. Waits for another thread's look, which may have come too early. */
    private boolean isLost() {
        // The connection is read after the lock's word, which its writer wrote afterwards. Most calls have none: nobody
        // watches them.
        if (isResponseOver() || connection == null || isLooking() || !look()) {
            return false;
        }
        boolean[] lost = new boolean[1];
        looking(connection, wire -> lost[0] = wire.isLost());
        return lost[0];
    }

    final void turn(@Nullable Completer own) {
        completer = own;
    }

    final boolean hasCompleter() {
        return completer != null;
    }

    /** Race: a canceller, and whoever registers a completer once the call is cancelled. One runs it and completes afterwards; the other leaves that to him. */
    final void completeInTurn(CancelReason reason) {
        Completer own = completer;
        if (own == null) {
            completeAsync(reason);
        } else if (own.take()) {
            Ladder.foreign("complete in the framework", own::run);
            if (completer == own) {
                completeNow(reason);
            }
        }
    }

    /** The framework has had its turn, or time enough for it. */
    final void completeNow(CancelReason reason) {
        if (completer != null) {
            completer = null;
            completeAsync(reason);
        }
    }

    /** The container ends the response, which leaves no time for a framework's turn: that comes afterwards. */
    public final void completeNow() {
        CancelReason reason = reason();
        if (reason != null) {
            completeAsync(reason);
        }
    }

    final void completeAsync(CancelReason reason) {
        @Nullable Runnable[] claimed = new @Nullable Runnable[1];
        if (look()) {
            looking(response, seen -> claimed[0] = seen.completion(reason, connection));
        }
        Runnable completion = claimed[0];
        if (completion != null) {
            completion.run();
        }
    }

    final void abortIf(Predicate<CallResponse> test) {
        if (look()) {
            looking(response, seen -> {
                Connection wire = connection;
                if (wire != null && test.test(seen)) {
                    wire.abort();
                }
            });
        }
    }

    /** The peer lock must be held; it is released. */
    private <T> boolean looking(@Nullable T seen, Consumer<T> action) {
        try {
            if (seen != null) {
                action.accept(seen);
            }
            return true;
        } finally {
            lookDone();
        }
    }
}
