package dev.hangup.watch.jetty;

import static dev.hangup.watch.Reflect.getter;
import static dev.hangup.watch.Reflect.publicMethod;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Whether Jetty has handed the last bytes of a response to an HTTP/2 stream, the same in 12.0 and 12.1. Jetty says so in private,
 * and behind a lock within which it tells listeners who wait for whoever looks: hence a look at the field.
 */
final class JettyAnswer {
    private static final String CHANNEL = "org.eclipse.jetty.server.internal.HttpChannelState";

    private final MethodHandle unwrap;
    private final MethodHandle channel;
    private final MethodHandle sendState;

    private JettyAnswer(ClassLoader jetty) throws ReflectiveOperationException {
        Class<?> request = Class.forName("org.eclipse.jetty.server.Request", false, jetty);
        unwrap = publicMethod(request, "unWrap", request);
        channel = getter(Class.forName(CHANNEL + "$ChannelRequest", false, jetty), "_httpChannelState");
        sendState = getter(channel.type().returnType(), "_streamSendState");
    }

    /** Null where Jetty does not let us look, where it runs as modules: said once. */
    static @Nullable JettyAnswer of(ClassLoader jetty) {
        try {
            return new JettyAnswer(jetty);
        } catch (ReflectiveOperationException | RuntimeException e) {
            System.getLogger("dev.hangup")
                    .log(
                            Level.INFO,
                            "Jetty: {0}: an observed HTTP/2 caller who leaves in the instant of the answer''s end may count as gone",
                            e.toString());
            return null;
        }
    }

    /** False where that cannot be told. Takes no lock; may be late by what another thread has just written. */
    boolean isSent(Object core) {
        try {
            Object state = channel.invoke(unwrap.invoke(core));
            return state == null // the request is over, and the channel free for the next
                    || ((Enum<?>) sendState.invoke(state)).name().startsWith("LAST_");
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            return false; // another kind of request than Jetty's own
        }
    }
}
