package dev.hangup.policy;

import dev.hangup.call.Deadline;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long one request downstream may take, as of the moment in which it is sent: what the helpers for HTTP clients have in common.
 *
 * @param source its name, or its host where the policy has none for it
 * @param host as the policy writes it; as the request does, where the policy has none
 * @param budget null: neither a source nor a call says so
 */
public record Allotment(String source, String host, Source.@Nullable Budget budget) {

    /** A host, and a port or a negative number. */
    private record Address(String host, int port) {

        private static final Pattern AUTHORITY = Pattern.compile("(?:[^@]*@)?([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

        /** {@link URI} knows no host with an underscore, as the names of containers may have one. */
        static Address of(URI uri) {
            String host = uri.getHost();
            if (host != null) {
                return new Address(host, uri.getPort());
            }
            String authority = String.valueOf(uri.getRawAuthority());
            Matcher parts = AUTHORITY.matcher(authority);
            if (!parts.matches()) {
                return new Address(authority, -1);
            }
            return new Address(parts.group(1), parts.group(2) == null ? -1 : Integer.parseInt(parts.group(2)));
        }
    }

    /**
     * What a request to this address has now.
     *
     * @param deadline that of the call for which it is sent
     */
    public static Allotment of(Policy policy, URI uri, Deadline deadline) {
        Address address = Address.of(uri);
        String host = address.host;
        int port = address.port >= 0 ? address.port : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
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
