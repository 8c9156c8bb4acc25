package dev.hangup.jersey;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An answer's body as a stream that can be stopped while somebody reads it. One thread reads, the client's give, any stops.
 *
 * <p>Race: a stop and the last bytes. Once the client has given them it may keep the connection for somebody else, and closing it
 * then would hit that one. So bytes are taken and a stop is made under one lock: whoever has the last byte is not stopped any more,
 * and whoever is stopped has closed the connection before the last byte could be given. Bodies that do not say how long they are
 * have only the client's own care: it forgets the connection before it keeps it.
 */
final class ReceivedBody extends InputStream implements BodySubscriber<ReceivedBody> {
    /** For the end of a body that is on its way, so that the connection can be kept. */
    private static final int END_MILLIS = 10;

    private static final int MOST_LEFT_UNREAD = 4;

    private record Piece(List<ByteBuffer> bytes, boolean isLast) {
        static final Piece END = new Piece(List.of(), true);
    }

    private final Leg leg;
    /** In bytes; negative if the head does not say. */
    private final long length;

    private final Runnable end;

    private final LinkedBlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final ReentrantLock signals = new ReentrantLock();
    // under the lock
    private Flow.@Nullable Subscription subscription;
    private long received;
    private boolean over;
    private volatile @Nullable Throwable failure;
    // the reader's
    private final Queue<ByteBuffer> taken = new ArrayDeque<>();
    private int patience;
    private boolean ended;

    /** @param end run when nothing is left to be stopped, more than once perhaps; any thread */
    ReceivedBody(Leg leg, long length, Runnable end) {
        this.leg = leg;
        this.length = length;
        this.end = end;
    }

    /** @param millis for which a read waits; 0 for ever */
    void patience(int millis) {
        patience = millis;
    }

    // ---- the client's threads

    @Override
    public CompletionStage<ReceivedBody> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        signals.lock();
        try {
            subscription = given;
            if (over) {
                given.cancel();
            } else {
                given.request(1);
            }
        } finally {
            signals.unlock();
        }
    }

    @Override
    public void onNext(List<ByteBuffer> piece) {
        signals.lock();
        try {
            if (!over) {
                piece.forEach(bytes -> received += bytes.remaining());
                pieces.add(new Piece(piece, false));
            }
        } finally {
            signals.unlock();
        }
    }

    @Override
    public void onError(Throwable thrown) {
        last(thrown);
    }

    @Override
    public void onComplete() {
        last(null);
    }

    private void last(@Nullable Throwable thrown) {
        signals.lock();
        try {
            if (over) {
                return;
            }
            over = true;
            failure = thrown;
            pieces.add(Piece.END);
        } finally {
            signals.unlock();
        }
        end.run();
    }

    // ---- any thread

    /** Closes the connection, unless all bytes are here; the reader is told in either case. */
    void stop() {
        signals.lock();
        try {
            if (!over && (subscription == null || received != length)) {
                over = true;
                if (subscription != null) {
                    subscription.cancel();
                }
            }
            pieces.add(Piece.END);
        } finally {
            signals.unlock();
        }
    }

    // ---- the reader

    @Override
    public int read() throws IOException {
        ByteBuffer bytes = next();
        return bytes == null ? -1 : bytes.get() & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int wanted) throws IOException {
        if (wanted == 0) {
            return 0;
        }
        ByteBuffer bytes = next();
        if (bytes == null) {
            return -1;
        }
        int given = Math.min(wanted, bytes.remaining());
        bytes.get(into, offset, given);
        return given;
    }

    @Override
    public int available() {
        return taken.stream().mapToInt(ByteBuffer::remaining).sum();
    }

    /** Bytes to be read, or null at the end. */
    private @Nullable ByteBuffer next() throws IOException {
        leg.check();
        while (true) {
            ByteBuffer bytes = taken.peek();
            if (bytes != null && bytes.hasRemaining()) {
                return bytes;
            }
            if (bytes != null) {
                taken.remove();
            } else if (ended) {
                return null;
            } else {
                take(patience);
            }
        }
    }

    private void take(int millis) throws IOException {
        Piece piece = await(millis);
        if (!piece.isLast()) {
            taken.addAll(piece.bytes());
            request();
            return;
        }
        ended = true;
        leg.check();
        Throwable why = failure;
        if (why != null) {
            throw why instanceof IOException io ? io : new IOException(why);
        }
    }

    private Piece await(int millis) throws IOException {
        try {
            Piece piece = millis == 0 ? pieces.take() : pieces.poll(millis, TimeUnit.MILLISECONDS);
            if (piece != null) {
                return piece;
            }
            leg.stop(leg.late(new SocketTimeoutException("Read timed out")));
        } catch (InterruptedException e) {
            leg.interrupted();
        }
        leg.check();
        throw new InterruptedIOException();
    }

    private void request() {
        signals.lock();
        try {
            if (!over && subscription != null) {
                subscription.request(1);
            }
        } finally {
            signals.unlock();
        }
    }

    /** What has not come by now is not waited for. */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        taken.clear();
        if (!isAtEnd()) {
            stop();
        }
        end.run();
    }

    private boolean isAtEnd() {
        try {
            for (int i = 0; i < MOST_LEFT_UNREAD; i++) {
                Piece piece = pieces.poll(END_MILLIS, TimeUnit.MILLISECONDS);
                if (piece == null || piece.isLast()) {
                    return piece != null;
                }
                request();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
