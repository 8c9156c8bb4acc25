package dev.hangup.watch.jetty;

import dev.hangup.call.Connection;
import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch;
import dev.hangup.watch.CallerWatch.UnwatchableException;
import dev.hangup.watch.Line;
import dev.hangup.watch.Requests;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Watches callers of Jetty 12 over HTTP/1.1, TLS and HTTP/2. Safe for any thread. */
public final class JettySource implements CallerWatch.Source {
    private static final String HTTP_1 = "HTTP_1";
    private static final String HTTP_2 = "HTTP_2";

    /** Replaced when a request of another class loader comes; racing threads make equal ones. */
    private volatile @Nullable JettyInternals internals;

    /** As the internals, by the first HTTP/2 request. */
    private volatile @Nullable JettyStreams streams;

    @Override
    public String name() {
        return "jetty";
    }

    @Override
    public @Nullable CallerWatch open(Object request) throws UnwatchableException {
        Object api = Requests.unwrap(request);
        if (!JettyInternals.isJetty(api)) {
            return null;
        }
        try {
            JettyInternals known = internals(api);
            Object core = known.coreRequest(api);
            Object meta = known.connectionMetaData(core);
            String version = known.httpVersion(meta);
            Object connection = known.connection(meta);
            Object endPoint = known.endPoint(connection);
            if (version.equals(HTTP_2)) {
                JettyStreams http2 = streams(connection);
                Object stream = http2.stream(connection, known.streamNumber(core));
                return new JettyStreamWatch(known, http2, api, core, endPoint, stream);
            }
            if (version.startsWith(HTTP_1)
                    && known.transport(endPoint) instanceof SocketChannel wire
                    && Line.isTcp(wire)) {
                return new JettyWatch(known, connection, known.connectionAt(endPoint), wire, Requests.mayHaveBody(api));
            }
            throw new UnwatchableException(Unwatched.NO_SOCKET, "Jetty end point without a TCP socket, " + version);
        } catch (UnwatchableException e) {
            throw e;
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            throw new UnwatchableException(Unwatched.INTERNALS_CHANGED, "Jetty: " + e, e);
        }
    }

    @Override
    public @Nullable Connection wire(Object request) {
        Object api = Requests.unwrap(request);
        if (!JettyInternals.isJetty(api)) {
            return null;
        }
        try {
            JettyInternals known = internals(api);
            Object core = known.coreRequest(api);
            Object meta = known.connectionMetaData(core);
            Object connection = known.connection(meta);
            if (known.httpVersion(meta).equals(HTTP_2)) {
                JettyStreams http2 = streams(connection);
                int number = known.streamNumber(core);
                Object stream = http2.stream(connection, number);
                return stream == null ? null : () -> http2.reset(stream, number);
            }
            Object endPoint = known.endPoint(connection);
            return known.transport(endPoint) instanceof NetworkChannel channel
                    ? new Line(channel, () -> known.close(endPoint))
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
        Object api = Requests.unwrap(request);
        if (!JettyInternals.isJetty(api)) {
            return null;
        }
        try {
            JettyInternals known = internals(api);
            Object meta = known.connectionMetaData(known.coreRequest(api));
            return Line.peer(known.transport(known.endPoint(known.connection(meta))));
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return null;
        }
    }

    /** Jetty recycles a stream that was reset while it is written to, and tells no listener. */
    @Override
    public boolean isOver(Object request) {
        Object api = Requests.unwrap(request);
        if (!JettyInternals.isJetty(api)) {
            return false;
        }
        try {
            return internals(api).isRecycled(api);
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return false; // said once when the watch is opened
        }
    }

    /** Over HTTP/2 the request begins when its head has been read, by whoever reads for all streams of the connection. */
    @Override
    public Duration waited(Object request) {
        Object api = Requests.unwrap(request);
        if (!JettyInternals.isJetty(api)) {
            return Duration.ZERO;
        }
        try {
            JettyInternals known = internals(api);
            Object core = known.coreRequest(api);
            return known.httpVersion(known.connectionMetaData(core)).equals(HTTP_2)
                    ? Duration.ofNanos(Math.max(0, System.nanoTime() - known.beginNanoTime(core)))
                    : Duration.ZERO;
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return Duration.ZERO;
        }
    }

    @Override
    public OptionalInt workerThreads(Object request) {
        Object api = Requests.unwrap(request);
        if (!JettyInternals.isJetty(api)) {
            return OptionalInt.empty();
        }
        try {
            JettyInternals known = internals(api);
            return known.workerThreads(known.connectionMetaData(known.coreRequest(api)));
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return OptionalInt.empty(); // said once when the watch is opened
        }
    }

    private JettyStreams streams(Object connection) throws ReflectiveOperationException {
        JettyStreams known = streams;
        if (known == null || !known.isOf(connection)) {
            known = new JettyStreams(connection.getClass());
            streams = known;
        }
        return known;
    }

    private JettyInternals internals(Object api) throws ReflectiveOperationException {
        JettyInternals known = internals;
        if (known == null || !known.isOf(api)) {
            known = new JettyInternals(api.getClass());
            internals = known;
        }
        return known;
    }
}
