package dev.hangup.tune;

import dev.hangup.policy.Policy;
import dev.hangup.policy.Source;
import dev.hangup.tune.log.LogLine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the application calls downstream, from the logs of what stands in front of it: all lines are one source's, or each line's host
 * tells. A policy's sources are found by their hosts; without any, hosts are counted by themselves, up to a limit.
 */
final class SourceRouter implements Router {

    private static final int MOST_HOSTS = 300;
    private static final String OTHER = "OTHER";

    private final Policy policy;
    private final boolean knowsValues;
    private final Map<String, String> namesByHost;
    private final @Nullable Route only;
    private final Map<String, Route> routes = new HashMap<>();
    private final ByteCache<Route> seen = new ByteCache<>();

    /**
     * @param only the source that all lines belong to; null if their hosts tell
     * @param namesByHost beside those that the policy knows
     */
    SourceRouter(Policy policy, boolean knowsValues, @Nullable String only, Map<String, String> namesByHost) {
        this.policy = policy;
        this.knowsValues = knowsValues;
        this.namesByHost = namesByHost;
        this.only = only == null ? null : Route.counted(only, inForce(only));
    }

    @Override
    public Route route(LogLine line) {
        if (only != null) {
            return only;
        }
        if (line.hostTo() <= line.hostFrom()) {
            return Route.NONE;
        }
        Route found = seen.find(line.bytes(), line.hostFrom(), line.hostTo());
        return found != null ? found : seen.put(line.bytes(), line.hostFrom(), line.hostTo(), find(line));
    }

    private Route find(LogLine line) {
        String text =
                new String(line.bytes(), line.hostFrom(), line.hostTo() - line.hostFrom(), StandardCharsets.ISO_8859_1);
        String host = text.toLowerCase(Locale.ROOT);
        int colon = host.lastIndexOf(':');
        boolean hasPort = colon > 0 && host.indexOf(']') < colon && host.indexOf(':') == colon;
        String bare = hasPort ? host.substring(0, colon) : host;
        int port = hasPort && host.substring(colon + 1).matches("[0-9]{1,5}")
                ? Integer.parseInt(host.substring(colon + 1))
                : -1;
        String given = namesByHost.getOrDefault(host, namesByHost.get(bare));
        String name = given != null
                ? given
                : policy.sourceAt(bare, port).map(Source::name).orElse(null);
        if (name == null) {
            boolean counted = !knowsSources() && (routes.containsKey(bare) || routes.size() < MOST_HOSTS);
            name = counted ? bare : knowsSources() ? null : OTHER;
        }
        return name == null ? Route.NONE : routes.computeIfAbsent(name, each -> Route.counted(each, inForce(each)));
    }

    private boolean knowsSources() {
        return knowsValues || !namesByHost.isEmpty();
    }

    private Supplier<@Nullable Duration> inForce(String name) {
        return () -> {
            try {
                return knowsValues ? policy.timeoutFor(name) : null;
            } catch (IllegalArgumentException unknown) {
                // A source that the policy does not have yet.
                return null;
            }
        };
    }
}
