package dev.hangup;

import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Whether an answer has begun and moves, for endpoints whose deadline covers its first byte only. Counted are the writes that the
 * container has taken since it sent the head; a long one is cut into pieces, each of which is movement.
 */
final class Progress {
    /** So much of a write at once: a caller who takes less than this from one deadline to the next has stalled. */
    static final int PIECE = 1 << 15;

    private static final AtomicIntegerFieldUpdater<Progress> MOVES =
            AtomicIntegerFieldUpdater.newUpdater(Progress.class, "moves");

    private final HttpServletResponse response;
    private volatile int moves;

    Progress(HttpServletResponse response) {
        this.response = response;
    }

    /** A write has ended. On its thread, while the response cannot end. */
    void moved() {
        if (response.isCommitted()) {
            MOVES.incrementAndGet(this);
        }
    }

    /** 0: nothing has been sent. Any thread. */
    int moves() {
        return moves;
    }
}
