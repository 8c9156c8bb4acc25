package dev.hangup.policy;

import dev.hangup.call.Deadline;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long one request downstream may take, as of the moment in which it is sent: what the helpers for HTTP clients have in common.
 *
 * @param source its name, or its host where the policy has none for it
 * @param host as the policy writes it; as the request does, where the policy has none
 * @param budget null: neither a source nor a call says so
 */
public record Allotment(String source, String host, Source.@Nullable Budget budget) {

    /**
     * What a request to this address has now.
     *
     * @param deadline that of the call for which it is sent
     */
    public static Allotment of(Policy policy, URI uri, Deadline deadline) {
        String host = String.valueOf(uri.getHost());
        int port = uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
        Optional<Source> source = policy.sourceAt(host, port);
        if (source.isPresent()) {
            return new Allotment(
                    source.get().name(), source.get().host(), source.get().budget(deadline));
        }
        Duration left = deadline.remaining();
        return new Allotment(
                host, host, deadline == Deadline.NONE ? null : new Source.Budget(left, policy.window(), true));
    }

    /**
     * What it fails with when the time is up, or was before it began.
     *
     * @throws IllegalStateException if there is no budget
     */
    public SourceTimeoutException timedOut() {
        if (budget == null) {
            throw new IllegalStateException("nothing says how long " + host + " may take");
        }
        return new SourceTimeoutException(source, host, budget);
    }

    /** Whether nothing is left, so that the request is not sent. */
    public boolean isNothing() {
        return budget != null && budget.timeout().isZero();
    }
}
