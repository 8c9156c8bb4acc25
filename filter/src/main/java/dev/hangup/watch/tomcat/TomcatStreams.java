package dev.hangup.watch.tomcat;

import static dev.hangup.watch.Reflect.getter;
import static dev.hangup.watch.Reflect.method;
import static dev.hangup.watch.Reflect.rethrow;

import dev.hangup.watch.Reflect;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;

/**
 * The way from the processor of an HTTP/2 request to its stream and the stream's state, the same on 10.1.1 to 11.0.29. Apart from
 * {@link TomcatInternals}, so that a change here leaves HTTP/1.1 watched.
 */
final class TomcatStreams {
    private static final String PACKAGE = "org.apache.coyote.http2.";

    private final Class<?> processor;
    private final MethodHandle stream;
    private final MethodHandle stateMachine;
    private final MethodHandle state;
    private final Object resetByClient;
    private final MethodHandle number;
    private final MethodHandle close;
    private final MethodHandle streamException;
    private final Object cancel;

    /** @param processor the class of a request's hook */
    TomcatStreams(Class<?> processor) throws ReflectiveOperationException {
        ClassLoader tomcat = processor.getClassLoader();
        this.processor = processor;
        stream = getter(processor, "stream");
        Class<?> streams = stream.type().returnType();
        stateMachine = getter(ancestor(streams, "AbstractNonZeroStream"), "state");
        state = getter(stateMachine.type().returnType(), "state");
        resetByClient = constant(state.type().returnType(), "CLOSED_RST_RX");
        number = method(ancestor(streams, "AbstractStream"), "getIdAsInt");
        close = method(streams, "close", Class.forName(PACKAGE + "Http2Exception", false, tomcat));
        Class<?> error = Class.forName(PACKAGE + "Http2Error", true, tomcat);
        cancel = constant(error, "CANCEL");
        Constructor<?> exception = Class.forName(PACKAGE + "StreamException", false, tomcat)
                .getDeclaredConstructor(String.class, error, int.class);
        exception.setAccessible(true);
        streamException = MethodHandles.lookup().unreflectConstructor(exception);
    }

    private static Class<?> ancestor(Class<?> streams, String name) throws ClassNotFoundException {
        Class<?> found = Reflect.superclass(streams, PACKAGE + name);
        if (found == null) {
            throw new ClassNotFoundException(streams.getName() + " is no " + PACKAGE + name);
        }
        return found;
    }

    private static Object constant(Class<?> type, String name) throws NoSuchFieldException {
        Object[] constants = type.getEnumConstants();
        for (Object constant : constants == null ? new Object[0] : constants) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new NoSuchFieldException("no constant " + type.getName() + "." + name);
    }

    boolean isOf(Object hook) {
        return processor.isInstance(hook);
    }

    Object stream(Object hook) throws Throwable {
        return stream.invoke(hook);
    }

    /** The state of a stream, which outlives it: Tomcat gives it to no other stream. */
    Object stateMachine(Object http2Stream) throws Throwable {
        return stateMachine.invoke(http2Stream);
    }

    /**
     * Whether the client has reset the stream, or its connection was lost. Takes the lock under which Tomcat changes the state, and
     * does so inside the peer lock: that lock is a leaf. Under it Tomcat (10.1.1, 10.1.62, 11.0.29) only changes the state and logs;
     * it tells no listener, writes nothing, and takes no other lock, so that nobody who holds it waits for the peer lock.
     */
    boolean isResetByClient(Object machine) {
        synchronized (machine) {
            try {
                return state.invoke(machine) == resetByClient;
            } catch (Throwable e) {
                throw rethrow(e);
            }
        }
    }

    /**
     * Sends RST_STREAM and wakes who waits for the stream's window. Any thread. Waits at most for a frame that is being written
     * to the same connection, for as long as Tomcat lets that one wait.
     */
    void reset(Object http2Stream) {
        try {
            Object reason = streamException.invoke(
                    "the response of a cancelled call is broken off", cancel, (int) number.invoke(http2Stream));
            close.invoke(http2Stream, reason);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }
}
