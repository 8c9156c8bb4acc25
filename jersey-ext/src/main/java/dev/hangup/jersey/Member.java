package dev.hangup.jersey;

import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.System.Logger.Level;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A sink in a broadcaster. */
final class Member implements Flow.Subscriber<OutboundSseEvent> {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final Broadcast home;
    private final SseEventSink sink;
    private final AtomicBoolean left = new AtomicBoolean();
    /** Written by the publisher's first task for this member. */
    private volatile Flow.@Nullable Subscription subscription;

    Member(Broadcast home, SseEventSink sink) {
        this.home = home;
        this.sink = sink;
    }

    /** Written, then looked: whoever leaves marks that first, then looks for the subscription. One of the two cancels it. */
    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        if (left.get()) {
            begun.cancel();
        } else {
            begun.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(OutboundSseEvent event) {
        if (sink.isClosed()) {
            leave(true);
            return;
        }
        try {
            sink.send(event).whenComplete((sent, failure) -> {
                if (failure != null) {
                    fail(failure);
                }
            });
        } catch (IllegalStateException e) {
            if (!sink.isClosed()) {
                throw e;
            }
            leave(true); // closed since we looked
        }
    }

    @Override
    public void onError(Throwable failure) {
        fail(failure);
    }

    @Override
    public void onComplete() {
        if (home.isCascading()) {
            close();
            leave(true);
        }
    }

    /** It could not be sent to, or not fast enough. */
    void fail(Throwable failure) {
        if (!left.get()) {
            home.tellFailed(sink, failure);
            close();
            leave(true);
        }
    }

    /** Once. */
    void leave(boolean here) {
        if (left.compareAndSet(false, true)) {
            Flow.Subscription known = subscription;
            if (known != null) {
                known.cancel();
            }
            home.tellClosed(sink, here);
        }
    }

    private void close() {
        try {
            ((AutoCloseable) sink).close(); // which may throw in Jakarta REST 4.0
        } catch (Exception e) {
            LOG.log(Level.DEBUG, "a sink does not close", e);
        }
    }
}
