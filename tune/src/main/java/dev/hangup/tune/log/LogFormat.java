package dev.hangup.tune.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What lines look like: always declared, because the same column is milliseconds in one server and microseconds in the next.
 *
 * @param server what wrote them
 * @param pattern its own pattern; null for the lines of {@link Server#pattern()}, with or without referrer and user agent, and
 *     with one more of the usual fields at the end
 */
public record LogFormat(Server server, @Nullable String pattern) {

    /**
     * A format, checked.
     *
     * @throws IllegalArgumentException if the pattern cannot be read or has no duration
     */
    public LogFormat {
        lines(server, pattern);
    }

    /** What takes its lines apart: one for each thread. */
    public LineFormat lines() {
        return lines(server, pattern);
    }

    /** Whether its lines have a place for the host that was called. */
    public boolean hasHost() {
        return lines().hasHost();
    }

    private static LineFormat lines(Server server, @Nullable String pattern) {
        if (pattern != null) {
            if (server == Server.CLOUDFRONT || server == Server.ALB) {
                throw new IllegalArgumentException(server.key() + " has one format, and no pattern");
            }
            return PatternSyntax.format(server, pattern, false);
        }
        return switch (server) {
            case CLOUDFRONT -> new TableFormat();
            case ALB ->
                new EitherFormat(List.of(
                        PatternSyntax.format(server, server.pattern(), true),
                        PatternSyntax.format(
                                server,
                                server.pattern().substring(0, server.pattern().indexOf(" \"$user")),
                                true)));
            default -> usual(server);
        };
    }

    private static LineFormat usual(Server server) {
        String combined = server.pattern();
        int referrer = combined.indexOf(server.isNginx() ? " \"$http" : " \"%{");
        String common = combined.substring(0, referrer) + combined.substring(combined.lastIndexOf(' '));
        List<LineFormat> formats = new ArrayList<>();
        for (String pattern : List.of(combined, common)) {
            formats.add(PatternSyntax.format(server, pattern, false));
            for (String more : server.isNginx()
                    ? List.of(" $upstream_response_time", " \"$upstream_response_time\"")
                    : List.of(" %X")) {
                formats.add(PatternSyntax.format(server, pattern + more, false));
            }
        }
        return new EitherFormat(formats);
    }
}
