package dev.hangup.watch.tomcat;

import static dev.hangup.watch.Reflect.constant;
import static dev.hangup.watch.Reflect.getter;
import static dev.hangup.watch.Reflect.method;
import static dev.hangup.watch.Reflect.rethrow;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.NetworkChannel;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The way from Tomcat's request facade to its socket, the same on 10.1.1 to 11.0.29: facade, connector request, coyote request,
 * its hook (the protocol's processor), the socket wrapper, the channel. Handles are bound to one class loader's Tomcat.
 */
final class TomcatInternals {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final Class<?> facade;
    private final boolean knowsTheEndOfChunks;
    private final MethodHandle request;
    private final MethodHandle coyoteRequest;
    private final MethodHandle hook;
    private final MethodHandle startTimeNanos;
    private final MethodHandle action;
    private final Object bodyFullyRead;
    private final MethodHandle socketWrapper;
    private final MethodHandle socket;
    private final Class<?> nioChannel;
    private final MethodHandle ioChannel;
    private final MethodHandle io2Channel;
    private final MethodHandle bufferHandler;
    private final MethodHandle bufferEmpty;
    private final MethodHandle read;
    private final MethodHandle error;
    private final Class<?> nioWrapper;
    private final MethodHandle readLock;
    private final MethodHandle writeLock;
    private final MethodHandle processSocket;
    private final Object socketError;
    private final MethodHandle connector;
    private final MethodHandle protocolHandler;

    TomcatInternals(Class<?> facade) throws ReflectiveOperationException {
        ClassLoader tomcat = facade.getClassLoader();
        this.facade = facade;
        knowsTheEndOfChunks = knowsTheEndOfChunks(tomcat);
        request = getter(facade, "request");
        Class<?> connectorRequest = request.type().returnType();
        coyoteRequest = method(connectorRequest, "getCoyoteRequest");
        Class<?> coyote = coyoteRequest.type().returnType();
        hook = getter(coyote, "hook");
        startTimeNanos = method(coyote, "getStartTimeNanos");
        Class<?> actionCode = Class.forName("org.apache.coyote.ActionCode", true, tomcat);
        action = method(coyote, "action", actionCode, Object.class);
        bodyFullyRead = constant(actionCode, "REQUEST_BODY_FULLY_READ");
        Class<?> processor = Class.forName("org.apache.coyote.AbstractProcessor", false, tomcat);
        socketWrapper = method(processor, "getSocketWrapper");
        Class<?> wrapper = socketWrapper.type().returnType();
        socket = method(wrapper, "getSocket");
        bufferHandler = method(wrapper, "getSocketBufferHandler");
        bufferEmpty = method(bufferHandler.type().returnType(), "isReadBufferEmpty");
        read = method(wrapper, "read", boolean.class, ByteBuffer.class);
        error = method(wrapper, "getError");
        nioChannel = Class.forName("org.apache.tomcat.util.net.NioChannel", false, tomcat);
        ioChannel = method(nioChannel, "getIOChannel");
        Class<?> nio2Channel = Class.forName("org.apache.tomcat.util.net.Nio2Channel", false, tomcat);
        io2Channel = method(nio2Channel, "getIOChannel");
        nioWrapper = Class.forName("org.apache.tomcat.util.net.NioEndpoint$NioSocketWrapper", false, tomcat);
        readLock = getter(nioWrapper, "readLock");
        writeLock = getter(nioWrapper, "writeLock");
        Class<?> event = Class.forName("org.apache.tomcat.util.net.SocketEvent", true, tomcat);
        processSocket = method(wrapper, "processSocket", event, boolean.class);
        socketError = constant(event, "ERROR");
        connector = method(connectorRequest, "getConnector");
        protocolHandler = method(connector.type().returnType(), "getProtocolHandler");
    }

    /**
     * Older ones (10.1.1) call a chunked body read when its last chunk has come, while their reader still waits for the trailers. Those
     * that have a state for that (10.1.62, 11.0.29) do not.
     */
    boolean knowsTheEndOfChunks() {
        return knowsTheEndOfChunks;
    }

    private static boolean knowsTheEndOfChunks(ClassLoader tomcat) {
        try {
            Class<?> filter = Class.forName("org.apache.coyote.http11.filters.ChunkedInputFilter", false, tomcat);
            return Arrays.stream(filter.getDeclaredFields())
                    .anyMatch(field -> field.getName().equals("parseState"));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    boolean isOf(Object request) {
        return facade.isInstance(request);
    }

    /** A facade without a request is one of a request that was recycled. */
    boolean isRecycled(Object facadeRequest) throws Throwable {
        return request.invoke(facadeRequest) == null;
    }

    Object coyoteRequest(Object facadeRequest) throws Throwable {
        return coyoteRequest.invoke(request.invoke(facadeRequest));
    }

    /** When the request began, in {@link System#nanoTime} terms; negative if Tomcat has not noted it. */
    long startTimeNanos(Object coyote) throws Throwable {
        return (long) startTimeNanos.invoke(coyote);
    }

    @Nullable
    Object processor(Object coyote) throws Throwable {
        return hook.invoke(coyote);
    }

    Object socketWrapper(Object processor) throws Throwable {
        return socketWrapper.invoke(processor);
    }

    @Nullable
    Object socket(Object wrapper) throws Throwable {
        return socket.invoke(wrapper);
    }

    /** Of a channel of NIO or NIO2, with TLS or without. */
    Object ioChannel(Object channel) throws Throwable {
        return nioChannel.isInstance(channel) ? ioChannel.invoke(channel) : io2Channel.invoke(channel);
    }

    /**
     * Closes a connection's channel. Whoever waits to read or write waits for these locks (NIO), or is told by the channel
     * (NIO2). Not by the wrapper's own close, which gives its buffers to the next connection at once, whoever is in them.
     */
    void close(NetworkChannel channel, Object wrapper) throws IOException {
        channel.close();
        if (nioWrapper.isInstance(wrapper)) {
            wake(readLock, wrapper);
            wake(writeLock, wrapper);
        }
    }

    /** Closes a connection's channel, where nobody waits inside but a listener does: it is told as of any other failure, by a thread of the container's. */
    void closePending(NetworkChannel channel, Object wrapper) throws IOException {
        close(channel, wrapper);
        if (nioWrapper.isInstance(wrapper)) {
            try {
                processSocket.invoke(wrapper, socketError, true);
            } catch (Throwable e) {
                throw rethrow(e);
            }
        }
    }

    /** No wake-up is lost: who waits tries the channel and begins to wait within one hold of the lock. */
    private static void wake(MethodHandle lock, Object wrapper) {
        Object monitor;
        try {
            monitor = lock.invoke(wrapper);
        } catch (Throwable e) {
            throw rethrow(e);
        }
        synchronized (monitor) {
            monitor.notifyAll();
        }
    }

    /** Whether the application has read the whole body, or there is none; asks no byte of the socket. */
    boolean bodyFullyRead(Object coyote) {
        AtomicBoolean answer = new AtomicBoolean();
        try {
            action.invoke(coyote, bodyFullyRead, (Object) answer);
        } catch (Throwable e) {
            throw rethrow(e);
        }
        return answer.get();
    }

    /**
     * Whether the stream has ended behind bytes that wait. Only when Tomcat's own buffer is empty: one read of nothing, by which
     * the bytes land in that buffer, where the next request is parsed from. A close_notify is a failed read: it leaves the
     * channel's other direction open with TLS 1.3; TLS 1.2 closes both (RFC 5246 section 7.2.1).
     */
    boolean endedBehindBytes(Object wrapper) {
        try {
            Object buffer = bufferHandler.invoke(wrapper);
            if (buffer == null || !(boolean) bufferEmpty.invoke(buffer)) {
                return false;
            }
            return (int) read.invoke(wrapper, false, EMPTY) < 0 || error.invoke(wrapper) != null;
        } catch (IOException e) {
            return true;
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** The size of the connector's thread pool; empty with virtual threads or an executor of an unknown kind. */
    OptionalInt workerThreads(Object facadeRequest) {
        try {
            Object handler = protocolHandler.invoke(connector.invoke(request.invoke(facadeRequest)));
            Object executor = handler.getClass().getMethod("getExecutor").invoke(handler);
            if (executor instanceof Executor) {
                Object most =
                        executor.getClass().getMethod("getMaximumPoolSize").invoke(executor);
                return most instanceof Integer size && size > 0 ? OptionalInt.of(size) : OptionalInt.empty();
            }
            return OptionalInt.empty();
        } catch (ReflectiveOperationException e) {
            return OptionalInt.empty();
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }
}
