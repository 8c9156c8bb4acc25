package dev.hangup.demo;

import dev.hangup.demo.Arrivals.Arrival;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * All callers on one thread, however many wait. Each opens a socket of its own, closes it when its patience is over, and may
 * try again.
 */
final class Callers implements Runnable {
    private final Ledger ledger;
    private final InetSocketAddress server;
    private final Load load;
    private final List<Arrival> arrivals;
    /** In the order in which their patience ends: it is the same for all. */
    private final Queue<Caller> waiting = new ArrayDeque<>();

    Callers(Ledger ledger, InetSocketAddress server, Load load, List<Arrival> arrivals) {
        this.ledger = ledger;
        this.server = server;
        this.load = load;
        this.arrivals = arrivals;
    }

    /** Returns when the last caller has left or was served. */
    @Override
    public void run() {
        try (Selector selector = Selector.open()) {
            long start = System.nanoTime();
            int next = 0;
            while (next < arrivals.size() || !waiting.isEmpty()) {
                long now = System.nanoTime();
                while (next < arrivals.size() && arrivals.get(next).afterNanos() <= now - start) {
                    call(selector, arrivals.get(next++).slow(), 0);
                }
                hangUp(selector, now);
                long wait = load.patience().toNanos();
                if (next < arrivals.size()) {
                    wait = Math.min(wait, start + arrivals.get(next).afterNanos() - System.nanoTime());
                }
                if (!waiting.isEmpty()) {
                    wait = Math.min(wait, patienceLeft(waiting.element(), System.nanoTime()));
                }
                select(selector, wait);
            }
        } catch (IOException e) {
            throw new Refusal(Refusal.FAILED, "callers cannot open sockets: " + e.getMessage(), e);
        }
    }

    private void call(Selector selector, boolean slow, int earlierAttempts) throws IOException {
        waiting.add(new Caller(ledger.open(slow), earlierAttempts, load.path(slow), selector, server));
    }

    private void hangUp(Selector selector, long now) throws IOException {
        while (!waiting.isEmpty() && (!waiting.element().waits() || patienceLeft(waiting.element(), now) <= 0)) {
            Caller caller = waiting.remove();
            if (caller.waits()) {
                caller.hangUp();
                tryAgain(selector, caller);
            }
        }
    }

    private void tryAgain(Selector selector, Caller caller) throws IOException {
        if (caller.attempts() < load.attempts()) {
            call(selector, caller.attempt().slow, caller.attempts());
        }
    }

    private long patienceLeft(Caller caller, long now) {
        Duration patience = load.patience();
        return caller.attempt().openedAt + patience.toNanos() - now;
    }

    private void select(Selector selector, long waitNanos) throws IOException {
        if (waitNanos <= 0) {
            selector.selectNow();
        } else {
            // a late millisecond is better than a spinning thread
            selector.select(TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1);
        }
        for (SelectionKey key : selector.selectedKeys()) {
            Caller caller = (Caller) key.attachment();
            boolean refused = key.isValid() && !caller.proceed(key) && caller.attempt().servedAt == 0;
            if (refused) {
                tryAgain(selector, caller);
            }
        }
        selector.selectedKeys().clear();
    }
}
