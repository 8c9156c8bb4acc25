package dev.hangup.jersey;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import org.glassfish.jersey.server.ChunkedOutput;

/** Marks requests that are answered in chunks: whoever sends them is to hear that a write has failed. */
final class ChunkedAnswers implements ContainerResponseFilter {
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getEntity() instanceof ChunkedOutput) {
            request.setProperty(RequestCalls.CHUNKS, true);
        }
    }
}
