package dev.hangup.call;

import java.util.Locale;

/** What a caller that still waits is told of the cancel: a problem document (RFC 9457). */
public final class Problem {
    /** Of the document. */
    public static final String MEDIA_TYPE = "application/problem+json";

    private Problem() {}

    /** The document of a call that was cancelled for this reason, sent with this status. */
    public static String json(int status, CallScope call, CancelReason reason) {
        String title = reason.deadline() ? "Deadline exceeded" : "Request cancelled";
        String detail = String.format(
                Locale.ROOT,
                reason.deadline() ? late(call, reason) : early(reason),
                call.endpoint(),
                (reason.deadline() ? call.allowed() : call.elapsed()).toNanos() / 1e9);
        return String.format(
                Locale.ROOT,
                "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}",
                title,
                status,
                escape(detail));
    }

    private static String late(CallScope call, CancelReason reason) {
        String deadline = reason == CancelReason.CALLER_DEADLINE ? "its caller's deadline" : "its deadline";
        return call.isQueued()
                ? "%s was never begun: " + deadline + " of %.3f s passed while it waited"
                : "%s did not finish within " + deadline + " of %.3f s";
    }

    private static String early(CancelReason reason) {
        return reason == CancelReason.SHUTDOWN
                ? "%s was cancelled after %.3f s because the server is stopping"
                : "%s was cancelled after %.3f s";
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
