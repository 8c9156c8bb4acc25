package dev.hangup.watch.tomcat;

import dev.hangup.call.Connection;
import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch;
import dev.hangup.watch.CallerWatch.UnwatchableException;
import dev.hangup.watch.Line;
import dev.hangup.watch.Requests;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Watches callers of Tomcat's NIO connector, over HTTP/1.1, TLS and HTTP/2. Safe for any thread. */
public final class TomcatSource implements CallerWatch.Source {
    private static final String HTTP_1 = "org.apache.coyote.http11.Http11Processor";
    private static final String HTTP_2 = "org.apache.coyote.http2.StreamProcessor";
    private static final String FACADE = "org.apache.catalina.connector.RequestFacade";

    /** Replaced when a request of another class loader comes; racing threads make equal ones. */
    private volatile @Nullable TomcatInternals internals;

    /** As the internals, by the first HTTP/2 request. */
    private volatile @Nullable TomcatStreams streams;

    @Override
    public String name() {
        return "tomcat";
    }

    @Override
    public @Nullable CallerWatch open(Object request) throws UnwatchableException {
        Object facade = Requests.unwrap(request);
        TomcatInternals known = internals(facade);
        if (known == null) {
            return null;
        }
        try {
            Object coyote = known.coyoteRequest(facade);
            Object processor = known.processor(coyote);
            String kind = processor == null ? "none" : processor.getClass().getName();
            if (processor != null && kind.equals(HTTP_2)) {
                TomcatStreams http2 = streams(processor);
                return new TomcatStreamWatch(http2, http2.stateMachine(http2.stream(processor)));
            }
            if (processor == null || !kind.equals(HTTP_1)) {
                throw new UnwatchableException(
                        kind.contains("ajp") ? Unwatched.AJP : Unwatched.NO_SOCKET, "protocol handler " + kind);
            }
            Object wrapper = known.socketWrapper(processor);
            Object channel = known.socket(wrapper);
            String type = channel == null ? "none" : channel.getClass().getSimpleName();
            if (channel != null
                    && (type.equals("Nio2Channel") || type.equals("SecureNio2Channel"))
                    && known.ioChannel(channel) instanceof AsynchronousSocketChannel wire) {
                return new Nio2Watch(wire);
            }
            if (channel == null || !(type.equals("NioChannel") || type.equals("SecureNioChannel"))) {
                throw new UnwatchableException(Unwatched.NO_SOCKET, "Tomcat channel " + type);
            }
            if (known.ioChannel(channel) instanceof SocketChannel wire && Line.isTcp(wire)) {
                return new TomcatWatch(
                        known,
                        coyote,
                        wrapper,
                        wire,
                        Requests.mayHaveBody(facade),
                        type.equals("NioChannel"),
                        known.knowsTheEndOfChunks() || !Requests.isChunked(facade));
            }
            throw new UnwatchableException(Unwatched.NO_SOCKET, "Tomcat channel without a TCP socket");
        } catch (UnwatchableException e) {
            throw e;
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            throw new UnwatchableException(Unwatched.INTERNALS_CHANGED, "Tomcat: " + e, e);
        }
    }

    @Override
    public @Nullable Connection wire(Object request) {
        Object facade = Requests.unwrap(request);
        try {
            TomcatInternals known = internals(facade);
            Object processor = known == null ? null : known.processor(known.coyoteRequest(facade));
            if (known == null || processor == null) {
                return null;
            }
            String kind = processor.getClass().getName();
            if (kind.equals(HTTP_2)) {
                TomcatStreams http2 = streams(processor);
                Object stream = http2.stream(processor);
                return () -> http2.reset(stream);
            }
            if (!kind.equals(HTTP_1)) {
                return null; // a proxy's, which others share
            }
            Object wrapper = known.socketWrapper(processor);
            Object socket = known.socket(wrapper);
            return socket != null && known.ioChannel(socket) instanceof NetworkChannel channel
                    ? new Line(channel, () -> known.close(channel, wrapper), () -> known.closePending(channel, wrapper))
                    : null;
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return null; // said once when the watch is opened
        }
    }

    @Override
    public @Nullable InetAddress peer(Object request) throws IOException {
        Object facade = Requests.unwrap(request);
        try {
            TomcatInternals known = internals(facade);
            Object processor = known == null ? null : known.processor(known.coyoteRequest(facade));
            Object socket = known == null || processor == null ? null : known.socket(known.socketWrapper(processor));
            return known == null || socket == null ? null : Line.peer(known.ioChannel(socket));
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return null;
        }
    }

    /** Over HTTP/2 the request begins with its stream; it may wait for others of its connection, too. */
    @Override
    public Duration waited(Object request) {
        Object facade = Requests.unwrap(request);
        try {
            TomcatInternals known = internals(facade);
            Object coyote = known == null ? null : known.coyoteRequest(facade);
            Object processor = known == null || coyote == null ? null : known.processor(coyote);
            if (known == null
                    || coyote == null
                    || processor == null
                    || !processor.getClass().getName().equals(HTTP_2)) {
                return Duration.ZERO;
            }
            long began = known.startTimeNanos(coyote);
            return began <= 0 ? Duration.ZERO : Duration.ofNanos(Math.max(0, System.nanoTime() - began));
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return Duration.ZERO;
        }
    }

    /**
     * Seen once in ten thousand cancelled asynchronous calls: Tomcat closes a connection that failed in the midst of a dispatch, and
     * recycles the request without a call of its listeners.
     */
    @Override
    public boolean isOver(Object request) {
        Object facade = Requests.unwrap(request);
        try {
            TomcatInternals known = internals(facade);
            return known != null && known.isRecycled(facade);
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return false; // said once when the watch is opened
        }
    }

    @Override
    public OptionalInt workerThreads(Object request) {
        Object facade = Requests.unwrap(request);
        try {
            TomcatInternals known = internals(facade);
            return known == null ? OptionalInt.empty() : known.workerThreads(facade);
        } catch (UnwatchableException | RuntimeException | LinkageError e) {
            return OptionalInt.empty(); // the watch does without
        }
    }

    private TomcatStreams streams(Object processor) throws ReflectiveOperationException {
        TomcatStreams known = streams;
        if (known == null || !known.isOf(processor)) {
            known = new TomcatStreams(processor.getClass());
            streams = known;
        }
        return known;
    }

    private @Nullable TomcatInternals internals(Object facade) throws UnwatchableException {
        TomcatInternals known = internals;
        if (known != null && known.isOf(facade)) {
            return known;
        }
        Class<?> type = dev.hangup.watch.Reflect.superclass(facade.getClass(), FACADE);
        if (type == null) {
            return null;
        }
        try {
            known = new TomcatInternals(type);
            internals = known;
            return known;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            throw new UnwatchableException(Unwatched.INTERNALS_CHANGED, "Tomcat: " + e, e);
        }
    }
}
