package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import dev.hangup.call.Consequence;
import jakarta.ws.rs.core.Response;
import java.util.Objects;
import org.glassfish.jersey.spi.ExtendedExceptionMapper;

/**
 * What a cancel has caused elsewhere than in a resource method: an interrupt in a filter, a refused read in a reader of bodies. Maps
 * nothing else, and nothing that the application maps.
 */
final class ConsequenceMapper implements ExtendedExceptionMapper<Throwable> {
    private final RequestCalls calls;

    ConsequenceMapper(RequestCalls calls) {
        this.calls = calls;
    }

    @Override
    public boolean isMappable(Throwable thrown) {
        CallScope call = calls.current();
        return call != null && Consequence.of(call, thrown);
    }

    @Override
    public Response toResponse(Throwable thrown) {
        CallScope call = Objects.requireNonNull(calls.current());
        return CancelAnswer.of(call, call.cancelReason().orElseThrow(), calls.policy());
    }
}
