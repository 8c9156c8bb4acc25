package dev.hangup.jdbc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * At most eight cancel requests at once for one wrapped pool, however many threads the cancellers have: each costs the database
 * a connection. What does not fit waits in a queue, not on a thread, and is dispatched by whoever finishes.
 */
final class CancelLane {
    static final int WIDTH = 8;

    private final Semaphore permits = new Semaphore(WIDTH);
    private final Queue<Entry> waiting = new ConcurrentLinkedQueue<>();

    /** What is to be run, and how it gets onto a canceller. */
    interface Entry {
        void fire();

        void dispatch(Runnable task);
    }

    /** On a canceller. Runs the entry now if there is room, otherwise later on a canceller. */
    void submit(Entry entry) {
        if (permits.tryAcquire()) {
            run(entry);
        } else {
            waiting.add(entry);
            // Look again: the last permit may have come back before the entry was seen.
            next();
        }
    }

    private void run(Entry entry) {
        try {
            entry.fire();
        } finally {
            permits.release();
            next();
        }
    }

    private void next() {
        while (!waiting.isEmpty() && permits.tryAcquire()) {
            Entry entry = waiting.poll();
            if (entry == null) {
                permits.release(); // another thread took it; look whether more came before our permit was back
            } else {
                boolean dispatched = false;
                try {
                    entry.dispatch(() -> run(entry));
                    dispatched = true;
                } finally {
                    if (!dispatched) {
                        permits.release(); // the engine is closed
                    }
                }
            }
        }
    }
}
