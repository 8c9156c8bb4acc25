package dev.hangup;

import dev.hangup.call.CallScope;
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

    String of(HttpServletRequest request) {
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
        return name == null ? known.computeIfAbsent(method, fresh -> fresh + " " + pattern) : name;
    }
}
