package dev.hangup;

import static dev.hangup.watch.Reflect.publicMethod;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** The redirect that Servlet 6.1 has and 6.0, which we compile against, has not. */
final class Redirect {
    private static final @Nullable MethodHandle SEND = find();

    private Redirect() {}

    /** @throws UnsupportedOperationException on a container of Servlet 6.0, where no application can come here */
    static void send(HttpServletResponse response, String location, int status, boolean clearBuffer)
            throws IOException {
        MethodHandle send = SEND;
        if (send == null) {
            throw new UnsupportedOperationException("a redirect with a status needs Servlet 6.1");
        }
        try {
            send.invoke(response, location, status, clearBuffer);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // it declares no other
        }
    }

    private static @Nullable MethodHandle find() {
        try {
            return publicMethod(HttpServletResponse.class, "sendRedirect", String.class, int.class, boolean.class);
        } catch (ReflectiveOperationException e) {
            return null; // Servlet 6.0
        }
    }
}
