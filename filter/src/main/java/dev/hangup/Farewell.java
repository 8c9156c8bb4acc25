package dev.hangup;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** What a cancelled call answers while nothing has been sent: nothing but a status for the access log if the caller is gone, a problem document (RFC 9457) if it still waits. */
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
        int status = reason.deadline() ? settings.deadlineStatus() : HttpServletResponse.SC_SERVICE_UNAVAILABLE;
        byte[] body = problem(status, call, reason).getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("application/problem+json");
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

    private static String problem(int status, CallScope call, CancelReason reason) {
        String title = reason.deadline() ? "Deadline exceeded" : "Request cancelled";
        String what = reason == CancelReason.CALLER_DEADLINE
                ? "%s did not finish within its caller's deadline of %.3f s"
                : reason.deadline()
                        ? "%s did not finish within its deadline of %.3f s"
                        : "%s was cancelled after %.3f s";
        String detail = String.format(
                Locale.ROOT,
                what,
                call.endpoint(),
                (reason.deadline() ? call.allowed() : call.elapsed()).toNanos() / 1e9);
        return String.format(
                Locale.ROOT,
                "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}",
                title,
                status,
                escape(detail));
    }

    /** RFC 8259 section 7: an endpoint's name may come from a policy file, with anything in it. */
    private static String escape(String text) {
        StringBuilder json = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < ' ') {
                json.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                json.append((char) c);
            }
        });
        return json.toString();
    }
}
