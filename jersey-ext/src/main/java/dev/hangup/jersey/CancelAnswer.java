package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Problem;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;

/**
 * What Jersey answers for a call that was cancelled: what the filter would. Where the filter guards the response it gives the answer
 * itself, and Jersey's has a status only, which is dropped.
 */
final class CancelAnswer {
    /** Not registered: what the filter sets for the access log. */
    private static final int CLIENT_CLOSED_REQUEST = 499;

    private static final int SERVICE_UNAVAILABLE = 503;

    private CancelAnswer() {}

    static Response of(CallScope call, CancelReason reason, Policy policy) {
        Settings settings = policy.settings();
        int status = reason.callerGone()
                ? CLIENT_CLOSED_REQUEST
                : reason.deadline() ? settings.deadlineStatus() : SERVICE_UNAVAILABLE;
        Response.ResponseBuilder answer = Response.status(status);
        if (call.isGuarded()) {
            return answer.build();
        }
        if (reason.callerGone()) {
            return answer.entity(new byte[0]).build(); // or Jersey has the container write an error page
        }
        Duration retryAfter = settings.retryAfter();
        if (reason.deadline() && retryAfter != null) {
            answer.header(HttpHeaders.RETRY_AFTER, retryAfter.plusMillis(999).toSeconds());
        }
        return answer.type(Problem.MEDIA_TYPE)
                .entity(Problem.json(status, call, reason))
                .build();
    }
}
