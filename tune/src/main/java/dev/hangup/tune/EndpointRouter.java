package dev.hangup.tune;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyBuilder;
import dev.hangup.policy.Rule;
import dev.hangup.tune.log.LogLine;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints by templates and, where none matches, by the policy's entries, as the filter finds them. Without either all calls are
 * counted as one, under {@link Rule#UNMATCHED}: the policy's default deadline is theirs.
 */
final class EndpointRouter implements Router {

    private final Policy policy;
    private final @Nullable Policy templates;
    private final Set<String> named;
    private final String context;
    private final boolean knowsValues;
    private final Map<String, Route> routes = new HashMap<>();
    private final ByteCache<Route> seen = new ByteCache<>();
    private final boolean single;

    /**
     * @param knowsValues whether the policy is somebody's, and not just the defaults
     * @param templates such as {@code GET /reports/{id}}
     * @param named endpoints to count, and no others; all if there are none
     * @param context the part in front of every path, such as {@code /app}
     * @throws IllegalArgumentException if a template is malformed
     */
    EndpointRouter(Policy policy, boolean knowsValues, List<String> templates, Set<String> named, String context) {
        this.policy = policy;
        this.knowsValues = knowsValues;
        this.named = named;
        this.context = context;
        PolicyBuilder builder = Policy.builder();
        templates.forEach(template -> builder.endpoint(template, Entry.INHERITED));
        this.templates = templates.isEmpty() ? null : builder.build();
        this.single = templates.isEmpty() && policy.rules().isEmpty();
    }

    @Override
    public Route route(LogLine line) {
        if (line.methodTo() == line.methodFrom() || line.pathTo() <= line.pathFrom()) {
            return Route.NONE;
        }
        // Method and path stand side by side in most formats.
        if (line.pathFrom() - line.methodTo() != 1) {
            return find(line);
        }
        byte[] bytes = line.bytes();
        Route found = seen.find(bytes, line.methodFrom(), line.pathTo());
        return found != null ? found : seen.put(bytes, line.methodFrom(), line.pathTo(), find(line));
    }

    private Route find(LogLine line) {
        byte[] bytes = line.bytes();
        String method = Methods.text(bytes, line.methodFrom(), line.methodTo());
        String path = Paths.decoded(text(bytes, line.pathFrom(), line.pathTo()));
        if (!context.isEmpty() && path.startsWith(context + "/")) {
            path = path.substring(context.length());
        }
        Rule rule = templates == null ? null : templates.ruleFor(method, path);
        if (rule == null || !rule.named()) {
            rule = policy.ruleFor(method, path);
        }
        return rule.named() || single ? routes.computeIfAbsent(rule.endpoint(), this::route) : Route.NONE;
    }

    private Route route(String endpoint) {
        if (!named.isEmpty() && !named.contains(endpoint)) {
            return Route.leftOut(endpoint, "not asked for");
        }
        Rule rule = rule(endpoint);
        if (rule.treatment().coversFirstByte() && named.isEmpty()) {
            return Route.leftOut(endpoint, "streams: its deadline is for the first byte");
        }
        return Route.counted(endpoint, () -> knowsValues ? rule.deadline() : null);
    }

    /** The policy's rule for what a template matches, or for the requests like it. */
    private Rule rule(String endpoint) {
        for (Rule rule : policy.rules()) {
            if (rule.endpoint().equals(endpoint)) {
                return rule;
            }
        }
        int space = endpoint.indexOf(' ');
        return space < 0
                ? policy.byDefault("GET")
                : policy.ruleFor(endpoint.substring(0, space), endpoint.substring(space + 1));
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
