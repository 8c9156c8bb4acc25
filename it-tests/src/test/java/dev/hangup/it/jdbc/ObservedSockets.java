package dev.hangup.it.jdbc;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/**
 * The driver's sockets, with two things to see and to do: how many cancel requests are on their way at once (the driver opens a
 * connection for each, on a canceller's thread), and something that happens just before a worker's bytes go out.
 */
public final class ObservedSockets extends SocketFactory {
    static final AtomicInteger cancels = new AtomicInteger();
    static final AtomicInteger mostCancels = new AtomicInteger();
    /** Run by the thread that sets it, before its next write, once. */
    static final ThreadLocal<Runnable> beforeWrite = new ThreadLocal<>();

    /** Run by a canceller before it writes a cancel request to a server that has accepted its connection. */
    static volatile Runnable beforeCancel = () -> {};

    private static final AtomicInteger inFlight = new AtomicInteger();

    static void reset() {
        cancels.set(0);
        mostCancels.set(0);
        beforeCancel = () -> {};
    }

    @Override
    public Socket createSocket() {
        return new Observed(Thread.currentThread().getName().startsWith("hangup-sql"));
    }

    private static final class Observed extends Socket {
        private final AtomicBoolean open;

        Observed(boolean cancel) {
            open = new AtomicBoolean(cancel);
            if (cancel) {
                cancels.incrementAndGet();
                mostCancels.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            }
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    if (open.get()) {
                        beforeCancel.run();
                    }
                    Runnable before = beforeWrite.get();
                    if (before != null) {
                        beforeWrite.remove();
                        before.run();
                    }
                    out.write(bytes, offset, length);
                }
            };
        }

        @Override
        public synchronized void close() throws IOException {
            if (open.getAndSet(false)) {
                inFlight.decrementAndGet();
            }
            super.close();
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw new IOException("pgjdbc connects by itself");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        throw new IOException("pgjdbc connects by itself");
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw new IOException("pgjdbc connects by itself");
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        throw new IOException("pgjdbc connects by itself");
    }
}
