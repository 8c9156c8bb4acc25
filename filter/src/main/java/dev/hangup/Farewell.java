package dev.hangup;

import dev.hangup.call.CallAnswer;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Problem;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What a cancelled call answers while nothing has been sent: nothing but a status for the access log if the caller is gone, a problem document (RFC 9457) if it still waits and the application has no answer of its own. */
final class Farewell {
    /** Not registered: what nginx logs for a client that closed its request, and so what people look for. */
    private static final int CLIENT_CLOSED_REQUEST = 499;

    private Farewell() {}

    /** The response must not be committed, and have nothing of another answer. */
    static void write(HttpServletResponse response, CallScope call, CancelReason reason, Settings settings)
            throws IOException {
        if (reason.callerGone()) {
            response.setStatus(CLIENT_CLOSED_REQUEST);
            return;
        }
        CallAnswer own = call.answer();
        if (own != null) {
            write(response, own);
            return;
        }
        int status = reason.deadline() ? settings.deadlineStatus() : HttpServletResponse.SC_SERVICE_UNAVAILABLE;
        byte[] body = Problem.json(status, call, reason).getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType(Problem.MEDIA_TYPE);
        response.setContentLength(body.length);
        Duration retryAfter = settings.retryAfter();
        if (reason.deadline() && retryAfter != null) {
            response.setHeader(
                    "Retry-After", Long.toString(retryAfter.plusMillis(999).toSeconds()));
        }
        // To a HEAD, too: the container keeps it back, and Tomcat would put its own report in the place of an empty
        // one.
        response.getOutputStream().write(body);
    }

    private static void write(HttpServletResponse response, CallAnswer own) throws IOException {
        response.setStatus(own.status());
        own.headers().forEach((name, values) -> {
            if (name.equalsIgnoreCase("Content-Type")) {
                response.setContentType(values.get(0));
            } else if (!name.equalsIgnoreCase("Content-Length")) {
                values.forEach(value -> response.addHeader(name, value));
            }
        });
        response.setContentLength(own.body().length);
        response.getOutputStream().write(own.body());
    }
}
