package dev.hangup.jersey;

import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.SseBroadcaster;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.SubmissionPublisher;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A broadcaster that a sink leaves as soon as it is closed, by a departure, by the application or by a failed write. (Jersey's own
 * finds out by broadcasting: it drops a dead sink with the second event, and tells no close listener.) Otherwise as Jersey's: each
 * sink has a buffer of 256 events, and one that is slower than that is closed with an error. Sinks of calls that are observed only,
 * or of none, are in a broadcaster of Jersey's own, and fare as they would there. Any thread.
 */
final class Broadcast implements SseBroadcaster {
    private static final System.Logger LOG = System.getLogger("dev.hangup");
    private static final int BUFFER = 256;

    private final Sinks sinks;
    private final Executor executor;
    private final SseBroadcaster jersey;
    private final SubmissionPublisher<OutboundSseEvent> publisher;
    private final List<BiConsumer<SseEventSink, Throwable>> errorListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<SseEventSink>> closeListeners = new CopyOnWriteArrayList<>();
    /** Whether closing this closes the sinks. Written before the publisher is closed. */
    private volatile boolean cascading = true;

    /**
     * @param executor on which events are sent and listeners told
     * @param jersey for sinks that are left alone
     */
    Broadcast(Sinks sinks, Executor executor, SseBroadcaster jersey) {
        this.sinks = sinks;
        this.executor = executor;
        this.jersey = jersey;
        this.publisher = new SubmissionPublisher<>(executor, BUFFER);
    }

    @Override
    public void onError(BiConsumer<SseEventSink, Throwable> listener) {
        errorListeners.add(required(listener, "onError"));
        jersey.onError(listener);
    }

    @Override
    public void onClose(Consumer<SseEventSink> listener) {
        closeListeners.add(required(listener, "onClose"));
        jersey.onClose(listener);
    }

    private static <T> T required(T parameter, String name) {
        if (parameter == null) {
            throw new IllegalArgumentException(name + " is null");
        }
        return parameter;
    }

    @Override
    public void register(SseEventSink sink) {
        OpenSink known = sinks.find(required(sink, "sseEventSink"));
        if (known == null) {
            jersey.register(sink);
            return;
        }
        if (publisher.isClosed()) {
            throw new IllegalStateException("the broadcaster is closed");
        }
        Member member = new Member(this, sink);
        publisher.subscribe(member);
        known.onClose(member::leave); // at once, if it has closed meanwhile
    }

    @Override
    public CompletionStage<?> broadcast(OutboundSseEvent event) {
        publisher.offer(required(event, "event"), (subscriber, dropped) -> {
            ((Member) subscriber).fail(new IllegalStateException("too slow for the events that are broadcast"));
            return false;
        });
        return jersey.broadcast(event);
    }

    @Override
    public void close() {
        close(true);
    }

    @Override
    public void close(boolean cascading) {
        this.cascading = cascading;
        publisher.close();
        jersey.close(cascading);
    }

    boolean isCascading() {
        return cascading;
    }

    int size() {
        return publisher.getNumberOfSubscribers();
    }

    void tellClosed(SseEventSink sink, boolean here) {
        Runnable telling = () -> closeListeners.forEach(listener -> tell(() -> listener.accept(sink)));
        if (here) {
            telling.run();
        } else {
            tell(() -> executor.execute(telling)); // which may be shut down, and nobody left to be told
        }
    }

    void tellFailed(SseEventSink sink, Throwable failure) {
        errorListeners.forEach(listener -> tell(() -> listener.accept(sink, failure)));
    }

    private static void tell(Runnable listener) {
        try {
            listener.run();
        } catch (Throwable e) { // whatever it is, the others are told
            LOG.log(Level.WARNING, "a listener of a broadcaster has failed", e);
        }
    }
}
