package dev.hangup.watch.jetty;

import static dev.hangup.watch.Reflect.publicMethod;
import static dev.hangup.watch.Reflect.rethrow;

import java.lang.invoke.MethodHandle;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The way from Jetty's servlet request to its socket: core request, connection metadata, connection, end point, transport. Public
 * methods of exported types only; a web application does not see these classes by name, so they come from the request's own
 * class loader. One way for Jetty 12.0 and 12.1, ee10 and ee11.
 */
final class JettyInternals {

    private final Class<?> api;
    private final MethodHandle coreRequest;
    private final MethodHandle contextRequest;
    private final MethodHandle channel;
    private final MethodHandle channelsRequest;
    private final MethodHandle connectionMetaData;
    private final MethodHandle httpVersion;
    private final MethodHandle id;
    private final MethodHandle beginNanoTime;
    private final MethodHandle addFailureListener;
    private final MethodHandle connection;
    private final MethodHandle connector;
    private final MethodHandle endPoint;
    private final MethodHandle bytesIn;
    private final Class<?> endPointWrapper;
    private final MethodHandle unwrap;
    private final MethodHandle transport;
    private final MethodHandle closeEndPoint;
    private final MethodHandle connectionOfEndPoint;
    private final MethodHandle isOpen;
    private final MethodHandle isInputShutdown;

    JettyInternals(Class<?> api) throws ReflectiveOperationException {
        ClassLoader jetty = api.getClassLoader();
        this.api = api;
        coreRequest = publicMethod(api, "getRequest");
        contextRequest = publicMethod(api, "getServletRequestInfo");
        channel = publicMethod(contextRequest.type().returnType(), "getServletChannel");
        channelsRequest = publicMethod(channel.type().returnType(), "getServletContextRequest");
        Class<?> request = Class.forName("org.eclipse.jetty.server.Request", false, jetty);
        connectionMetaData = publicMethod(request, "getConnectionMetaData");
        Class<?> meta = Class.forName("org.eclipse.jetty.server.ConnectionMetaData", false, jetty);
        httpVersion = publicMethod(meta, "getHttpVersion");
        id = publicMethod(request, "getId");
        beginNanoTime = publicMethod(request, "getBeginNanoTime");
        addFailureListener = publicMethod(request, "addFailureListener", Consumer.class);
        connection = publicMethod(meta, "getConnection");
        connector = publicMethod(meta, "getConnector");
        Class<?> wire = Class.forName("org.eclipse.jetty.io.Connection", false, jetty);
        endPoint = publicMethod(wire, "getEndPoint");
        bytesIn = publicMethod(wire, "getBytesIn");
        endPointWrapper = Class.forName("org.eclipse.jetty.io.EndPoint$Wrapper", false, jetty);
        unwrap = publicMethod(endPointWrapper, "unwrap");
        Class<?> point = Class.forName("org.eclipse.jetty.io.EndPoint", false, jetty);
        transport = publicMethod(point, "getTransport");
        closeEndPoint = publicMethod(point, "close");
        connectionOfEndPoint = publicMethod(point, "getConnection");
        isOpen = publicMethod(point, "isOpen");
        isInputShutdown = publicMethod(point, "isInputShutdown");
    }

    /** By the name of its package: ee10 and ee11 have a class each. */
    static boolean isJetty(Object request) {
        return request.getClass().getName().startsWith("org.eclipse.jetty.ee");
    }

    boolean isOf(Object request) {
        return api.isInstance(request);
    }

    /**
     * Race: Jetty recycles the request meanwhile, and this is its channel's next one. So it is taken first and looked at afterwards: a
     * channel that is another request's never comes back to this one.
     *
     * @throws IllegalStateException if the request has been recycled
     */
    Object coreRequest(Object request) throws Throwable {
        Object core = coreRequest.invoke(request);
        if (isRecycled(request)) {
            throw new IllegalStateException("a request that Jetty has recycled");
        }
        return core;
    }

    /** Whether the request's channel has none, or another one, by now. Takes no lock. */
    boolean isRecycled(Object request) {
        try {
            Object own = contextRequest.invoke(request);
            return channelsRequest.invoke(channel.invoke(own)) != own;
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    Object connectionMetaData(Object core) throws Throwable {
        return connectionMetaData.invoke(core);
    }

    /** The enum's name, for example {@code HTTP_1_1}. */
    String httpVersion(Object meta) throws Throwable {
        return ((Enum<?>) httpVersion.invoke(meta)).name();
    }

    /** The number of an HTTP/2 request's stream. */
    int streamNumber(Object core) throws Throwable {
        return Integer.parseInt((String) id.invoke(core));
    }

    /** When Jetty had read the beginning of the request, in {@link System#nanoTime} terms. */
    long beginNanoTime(Object core) throws Throwable {
        return (long) beginNanoTime.invoke(core);
    }

    /** Tells of the request's failure, on a thread of Jetty's; of none that came before. */
    void onFailure(Object core, Consumer<Throwable> listener) {
        try {
            addFailureListener.invoke(core, listener);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /**
     * Whether the response has begun to be sent; false, too, where that cannot be told. Takes no lock of Jetty's: Jetty tells its
     * listeners of an end within its own, and they wait for whoever looks.
     */
    boolean isCommitted(Object core) {
        try {
            Object response =
                    core.getClass().getMethod("getServletContextResponse").invoke(core);
            return (boolean) response.getClass().getMethod("isCommitted").invoke(response);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /**
     * Whether an HTTP/1.1 connection has generated the last bytes of its response; false, too, where that cannot be told (where Jetty
     * runs as modules). A look at a field, no lock; and before Jetty tells its listeners no next request changes it.
     */
    boolean isEnding(Object httpConnection) {
        try {
            Object generator =
                    httpConnection.getClass().getMethod("getGenerator").invoke(httpConnection);
            Object state = generator.getClass().getMethod("getState").invoke(generator);
            String name = ((Enum<?>) state).name();
            return name.equals("COMPLETING") || name.equals("END");
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    Object connection(Object meta) throws Throwable {
        return connection.invoke(meta);
    }

    /** The end point nearest to the network. */
    Object endPoint(Object connection) throws Throwable {
        Object point = endPoint.invoke(connection);
        while (endPointWrapper.isInstance(point)) {
            point = unwrap.invoke(point);
        }
        return point;
    }

    /** Whether neither side has closed the connection, as far as Jetty has read. */
    boolean isConnected(Object endPoint) {
        try {
            return (boolean) isOpen.invoke(endPoint) && !(boolean) isInputShutdown.invoke(endPoint);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** The connection that reads from this end point: HTTP, or TLS. */
    Object connectionAt(Object endPoint) throws Throwable {
        return connectionOfEndPoint.invoke(endPoint);
    }

    Object transport(Object endPoint) throws Throwable {
        return transport.invoke(endPoint);
    }

    /** Closes the transport; whoever waits to read or write fails. Any thread. */
    void close(Object endPoint) {
        try {
            closeEndPoint.invoke(endPoint);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** How many bytes the connection has read so far. */
    long bytesIn(Object connection) {
        try {
            return (long) bytesIn.invoke(connection);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** The size of the server's thread pool; empty for a pool without a bound. */
    OptionalInt workerThreads(Object meta) throws Throwable {
        Object wired = connector.invoke(meta);
        Object server = wired.getClass().getMethod("getServer").invoke(wired);
        Object pool = server.getClass().getMethod("getThreadPool").invoke(server);
        try {
            Object most = pool.getClass().getMethod("getMaxThreads").invoke(pool);
            return most instanceof Integer size && size > 0 ? OptionalInt.of(size) : OptionalInt.empty();
        } catch (NoSuchMethodException e) {
            return OptionalInt.empty();
        }
    }
}
