package dev.hangup.watch.jetty;

import static dev.hangup.watch.Reflect.publicMethod;
import static dev.hangup.watch.Reflect.rethrow;

import dev.hangup.watch.Reflect;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The way from Jetty's HTTP/2 connection to its streams, the same in 12.0 and 12.1. Apart from {@link JettyInternals}, because a
 * server without HTTP/2 lacks these classes.
 */
final class JettyStreams {
    private static final String CONNECTION = "org.eclipse.jetty.http2.HTTP2Connection";
    /** RFC 9113 section 7: the stream is no longer needed. */
    private static final int CANCEL = 0x8;

    private final Class<?> connection;
    private final MethodHandle session;
    private final MethodHandle stream;
    private final MethodHandle reset;
    private final MethodHandle resetFrame;
    private final Object noCallback;
    /** Private, and so out of reach where Jetty runs as modules. */
    private final @Nullable MethodHandle remoteReset;

    private final @Nullable JettyAnswer answer;

    /** @throws ReflectiveOperationException naming what is missing, also if {@code type} is no HTTP/2 connection */
    JettyStreams(Class<?> type) throws ReflectiveOperationException {
        Class<?> found = Reflect.superclass(type, CONNECTION);
        if (found == null) {
            throw new ClassNotFoundException(type.getName() + " is no " + CONNECTION);
        }
        ClassLoader jetty = found.getClassLoader();
        connection = found;
        session = publicMethod(found, "getSession");
        Class<?> sessions = Class.forName("org.eclipse.jetty.http2.HTTP2Session", false, jetty);
        stream = publicMethod(sessions, "getStream", int.class);
        Class<?> frame = Class.forName("org.eclipse.jetty.http2.frames.ResetFrame", false, jetty);
        resetFrame = MethodHandles.publicLookup()
                .findConstructor(frame, MethodType.methodType(void.class, int.class, int.class));
        Class<?> callback = Class.forName("org.eclipse.jetty.util.Callback", true, jetty);
        noCallback = callback.getField("NOOP").get(null);
        Class<?> api = Class.forName("org.eclipse.jetty.http2.api.Stream", false, jetty);
        reset = publicMethod(api, "reset", frame, callback);
        remoteReset = remoteReset(Class.forName("org.eclipse.jetty.http2.HTTP2Stream", false, jetty));
        answer = JettyAnswer.of(jetty);
    }

    private static @Nullable MethodHandle remoteReset(Class<?> streams) {
        try {
            return Reflect.getter(streams, "remoteReset");
        } catch (ReflectiveOperationException | RuntimeException e) {
            System.getLogger("dev.hangup")
                    .log(
                            Level.INFO,
                            "Jetty: {0}: an HTTP/2 stream''s reset that Jetty does not tell ends its call at the deadline",
                            e.toString());
            return null;
        }
    }

    boolean isOf(Object http2Connection) {
        return connection.isInstance(http2Connection);
    }

    /** The open stream with this number; null if it has ended in any way. From a concurrent map: takes no lock of Jetty's. */
    @Nullable
    Object stream(Object http2Connection, int number) throws Throwable {
        return stream.invoke(session.invoke(http2Connection), number);
    }

    /** Whether the client has reset it; false where that cannot be told. A reset of the server's own does not count. */
    boolean isRemotelyReset(Object http2Stream) {
        try {
            return remoteReset != null && (boolean) remoteReset.invoke(http2Stream);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** Whether the end of the response to this core request is on its way; false where that cannot be told. Takes no lock. */
    boolean isAnswered(Object core) {
        return answer != null && answer.isSent(core);
    }

    /** Sends RST_STREAM; whoever waits to read from the stream or to write to it fails. Any thread; does not block. */
    void reset(Object http2Stream, int number) {
        try {
            reset.invoke(http2Stream, resetFrame.invoke(number, CANCEL), noCallback);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }
}
