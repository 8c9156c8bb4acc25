package dev.hangup.client;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An answer's body, which can be stopped by any thread: its connection is given up, and whoever reads it hears why. Signals to the
 * application's subscriber come one at a time, as it may expect, and none after the last.
 */
final class StoppableBody<T> implements BodySubscriber<T> {
    private final BodySubscriber<T> subscriber;
    private final Exchange<T> exchange;
    private final ReentrantLock signals = new ReentrantLock();
    private volatile Flow.@Nullable Subscription subscription;
    /** Written under the lock. */
    private volatile boolean over;

    StoppableBody(BodySubscriber<T> subscriber, Exchange<T> exchange) {
        this.subscriber = subscriber;
        this.exchange = exchange;
    }

    boolean isOver() {
        return over;
    }

    @Override
    public CompletionStage<T> getBody() {
        return subscriber.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {
                given.request(n);
            }

            @Override
            public void cancel() {
                over = true; // the reader has had enough
                given.cancel();
                exchange.over();
            }
        });
        Throwable why = exchange.reason();
        if (why != null) {
            fail(why);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> piece) {
        signals.lock();
        try {
            if (!over) {
                subscriber.onNext(piece);
            }
        } finally {
            signals.unlock();
        }
    }

    @Override
    public void onError(Throwable failure) {
        Throwable why = exchange.reason();
        last(() -> subscriber.onError(why == null ? failure : why));
    }

    @Override
    public void onComplete() {
        last(subscriber::onComplete);
    }

    /** Any thread; nothing if the body is over, or has not begun. */
    void fail(Throwable why) {
        Flow.Subscription given = subscription;
        if (given != null && !over) {
            given.cancel();
            last(() -> subscriber.onError(why));
        }
    }

    private void last(Runnable signal) {
        signals.lock();
        try {
            if (over) {
                return;
            }
            over = true;
            signal.run();
        } finally {
            signals.unlock();
        }
        exchange.over();
    }
}
