package dev.hangup.jersey;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A request's body that is sent as it is written, once. It may be written by one thread after the other, none of which needs to
 * live on. A writer waits while nobody takes what it has written, until the exchange is over, by its end or because it is stopped.
 *
 * <p>Not by the JDK's pipe and its publisher of streams: a pipe breaks when the thread ends that has read or written last, holds a
 * thread of the client's that waits for bytes, tells its writer up to a second late that nobody reads any more, and takes the
 * writer's interrupt away.
 */
final class SentBody extends OutputStream implements BodyPublisher {
    private static final int PIECE = 16 * 1024;

    private final Leg leg;
    /** In bytes; negative if it is not known. */
    private final long length;

    private final ReentrantLock signals = new ReentrantLock();
    private final Condition changed = signals.newCondition();
    private final AtomicBoolean subscribed = new AtomicBoolean();
    // under the lock
    private Flow.@Nullable Subscriber<? super ByteBuffer> reader;
    private long demand;
    private boolean stopped;
    // the writer's
    private final byte[] piece = new byte[PIECE];
    private int filled;
    private volatile boolean whole;

    SentBody(Leg leg, long length) {
        this.leg = leg;
        this.length = length;
    }

    @Override
    public long contentLength() {
        return length;
    }

    // ---- the client's threads

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(new Demand());
        if (subscribed.getAndSet(true)) {
            subscriber.onError(new IOException("a body that is sent as it is written cannot be sent again"));
            return;
        }
        signals.lock();
        try {
            reader = subscriber;
            changed.signalAll();
        } finally {
            signals.unlock();
        }
    }

    private final class Demand implements Flow.Subscription {
        @Override
        public void request(long more) {
            signals.lock();
            try {
                demand = more > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + more;
                changed.signalAll();
            } finally {
                signals.unlock();
            }
        }

        @Override
        public void cancel() {
            stop();
        }
    }

    // ---- any thread

    /** Nobody takes any more of it. */
    void stop() {
        signals.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            signals.unlock();
        }
    }

    /** Whoever has written it came to no end, though it would have been taken. On the writer's thread. */
    boolean isCutShort() {
        signals.lock();
        try {
            return !whole && !stopped;
        } finally {
            signals.unlock();
        }
    }

    // ---- the writer

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        for (int done = 0; done < count; ) {
            int taken = Math.min(count - done, PIECE - filled);
            System.arraycopy(bytes, offset + done, piece, filled, taken);
            filled += taken;
            done += taken;
            if (filled == PIECE) {
                flush();
            }
        }
    }

    @Override
    public void flush() throws IOException {
        if (filled > 0) {
            Flow.Subscriber<? super ByteBuffer> taker = taker(1);
            byte[] bytes = new byte[filled];
            System.arraycopy(piece, 0, bytes, 0, filled);
            filled = 0;
            taker.onNext(ByteBuffer.wrap(bytes));
        }
    }

    /** Of a body that is closed nothing is missing. */
    @Override
    public void close() throws IOException {
        if (!whole) {
            flush();
            Flow.Subscriber<? super ByteBuffer> taker = taker(0);
            whole = true;
            taker.onComplete();
        }
    }

    /** Who takes so many pieces more. */
    private Flow.Subscriber<? super ByteBuffer> taker(int pieces) throws IOException {
        signals.lock();
        try {
            while (!stopped) {
                Flow.Subscriber<? super ByteBuffer> ready = reader;
                if (ready != null && demand >= pieces) {
                    demand -= pieces;
                    return ready;
                }
                changed.await();
            }
        } catch (InterruptedException e) {
            leg.interrupted();
        } finally {
            signals.unlock();
        }
        leg.check();
        throw new IOException("the exchange was over before the request's body was written");
    }
}
