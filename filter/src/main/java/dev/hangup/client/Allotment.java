package dev.hangup.client;

import dev.hangup.call.Call;
import dev.hangup.call.Deadline;
import dev.hangup.policy.DeadlineHeader;
import dev.hangup.policy.DeadlineHeader.Reading;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Source;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long one request may take, as of the moment in which it is sent.
 *
 * @param source its name, or its host where the policy has none for it
 * @param budget null: neither a source nor a call says so
 */
record Allotment(String source, String host, Source.@Nullable Budget budget) {

    static Allotment of(Policy policy, URI uri) {
        String host = String.valueOf(uri.getHost());
        int port = uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
        Optional<Source> source = policy.sourceAt(host, port);
        if (source.isPresent()) {
            return new Allotment(
                    source.get().name(), source.get().host(), source.get().budget());
        }
        Deadline deadline = Call.current().deadline();
        Duration left = deadline.remaining();
        return new Allotment(
                host, host, deadline == Deadline.NONE ? null : new Source.Budget(left, policy.window(), true));
    }

    SourceTimeoutException timedOut() {
        if (budget == null) {
            throw new IllegalStateException("nothing says how long " + host + " may take");
        }
        return new SourceTimeoutException(source, host, budget);
    }

    boolean isNothing() {
        return budget != null && budget.timeout().isZero();
    }

    /** The request with the time that it has, in place of what it says of that itself; its other preferences stay. */
    HttpRequest told(HttpRequest request, @Nullable DeadlineHeader header) {
        if (header == null || budget == null || budget.timeout().isZero()) {
            return request;
        }
        return HttpRequest.newBuilder(
                        request,
                        (name, value) ->
                                !name.equalsIgnoreCase(header.field()) || header.read(List.of(value)) == Reading.SILENT)
                .header(header.field(), header.format(budget.timeout()))
                .build();
    }
}
