package dev.hangup.jersey;

import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallScope;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Goes before an application's mappers of exceptions in general, and after one that it has for this exception. */
final class CancelledMapper implements ExceptionMapper<CallCancelledException> {
    private final RequestCalls calls;

    CancelledMapper(RequestCalls calls) {
        this.calls = calls;
    }

    @Override
    public Response toResponse(CallCancelledException cancelled) {
        CallScope call = calls.current();
        return call == null
                ? Response.status(Response.Status.SERVICE_UNAVAILABLE).build() // another application's call
                : CancelAnswer.of(call, cancelled.reason(), calls.policy());
    }
}
