package dev.hangup.watch.jetty;

import dev.hangup.call.Connection;
import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch;
import dev.hangup.watch.CallerWatch.UnwatchableException;
import dev.hangup.watch.Line;
import dev.hangup.watch.Requests;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Watches callers of Jetty 12's HTTP/1.1 connector. Safe for any thread. */
public final class JettySource implements CallerWatch.Source {
    /** Replaced when a request of another class loader comes; racing threads make equal ones. */
    private volatile @Nullable JettyInternals internals;

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
            Object meta = known.connectionMetaData(known.coreRequest(api));
            String version = known.httpVersion(meta);
            if (!version.startsWith("HTTP_1")) {
                throw new UnwatchableException(Unwatched.HTTP_2, "protocol " + version);
            }
            if (known.isSecure(meta)) {
                throw new UnwatchableException(Unwatched.TLS, "TLS connection");
            }
            Object connection = known.connection(meta);
            if (known.transport(known.endPoint(connection)) instanceof SocketChannel wire && Line.isTcp(wire)) {
                return new JettyWatch(known, connection, wire, Requests.mayHaveBody(api));
            }
            throw new UnwatchableException(Unwatched.NO_SOCKET, "Jetty end point without a TCP socket");
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
            Object meta = known.connectionMetaData(known.coreRequest(api));
            if (!known.httpVersion(meta).startsWith("HTTP_1")) {
                return null; // HTTP/2: others share it
            }
            Object endPoint = known.endPoint(known.connection(meta));
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

    private JettyInternals internals(Object api) throws ReflectiveOperationException {
        JettyInternals known = internals;
        if (known == null || !known.isOf(api)) {
            known = new JettyInternals(api.getClass());
            internals = known;
        }
        return known;
    }
}
