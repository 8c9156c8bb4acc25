package dev.hangup;

import dev.hangup.call.CallScope;
import dev.hangup.policy.Rule;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Names of endpoints that the policy does not name: method and servlet mapping, for example {@code GET /reports/*}. The patterns
 * come from the deployment and the methods are folded to a known set, so that callers cannot make names.
 */
final class EndpointNames {
    private static final Set<String> CATCH_ALL = Set.of("/", "/*", "");
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT");

    private final Map<String, Map<String, String>> names = new ConcurrentHashMap<>();

    /**
     * The first request to an endpoint makes it known to the engine, if its caller's departure cancels. What has no name but
     * {@code UNMATCHED} is many endpoints, of which no one thing is true.
     *
     * @param rule what the policy says of this request without naming it
     */
    String of(HttpServletRequest request, Rule rule, Hangup engine) {
        @Nullable HttpServletMapping mapping = request.getHttpServletMapping();
        String pattern = mapping == null ? "" : mapping.getPattern();
        if (pattern == null || CATCH_ALL.contains(pattern)) {
            return CallScope.UNMATCHED;
        }
        Map<String, String> known = names.get(pattern);
        if (known == null) {
            known = names.computeIfAbsent(pattern, fresh -> new ConcurrentHashMap<>());
        }
        String method = METHODS.contains(request.getMethod()) ? request.getMethod() : "OTHER";
        String name = known.get(method);
        if (name == null) {
            name = known.computeIfAbsent(method, fresh -> fresh + " " + pattern);
            if (rule.treatment().cancels()) {
                engine.endpointKnown(name, rule); // by two who race: the same twice
            }
        }
        return name;
    }

    /** A new policy treats endpoints otherwise: their next requests make them known again. */
    void forget() {
        names.clear();
    }
}
