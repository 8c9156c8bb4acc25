package dev.hangup.tune.log;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What wrote a log: its units, what its time stamps mean, and the lines that it writes if nothing else is said. */
public enum Server {
    TOMCAT9(true, "%h %l %u %t \"%r\" %s %b \"%{Referer}i\" \"%{User-Agent}i\" %D"),
    TOMCAT(true, "%h %l %u %t \"%r\" %s %b \"%{Referer}i\" \"%{User-Agent}i\" %D"),
    JETTY(false, "%{client}a - %u %t \"%r\" %s %O \"%{Referer}i\" \"%{User-Agent}i\" %D"),
    NGINX(
            true,
            "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\""
                    + " \"$http_user_agent\" $request_time"),
    HTTPD(false, "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" %D"),
    UNDERTOW(true, "%h %l %u %t \"%r\" %s %b \"%{i,Referer}\" \"%{i,User-Agent}\" %D"),
    CLOUDFRONT(true, ""),
    ALB(
            true,
            "$type $time_iso8601 $elb $client $target $request_part $target_part $response_part $status $target_status"
                    + " $received $sent \"$request\" \"$user_agent\" $cipher $protocol $group \"$trace\" \"$host\""
                    + " \"$certificate\" $priority $start");

    private static final List<String> WITHOUT_DURATION = List.of("common", "combined", "ncsa");

    private final boolean stampIsEnd;
    private final String pattern;

    Server(boolean stampIsEnd, String pattern) {
        this.stampIsEnd = stampIsEnd;
        this.pattern = pattern;
    }

    /** As it is written on the command line: {@code tomcat9}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The pattern whose lines are read: with a duration, which the server's own defaults lack. */
    public String pattern() {
        return pattern;
    }

    boolean stampIsEnd() {
        return stampIsEnd;
    }

    /** Whether patterns are in nginx' syntax. */
    boolean isNginx() {
        return this == NGINX || this == ALB;
    }

    /**
     * The server of that name.
     *
     * @throws IllegalArgumentException if there is none, or if the name is that of a format without a duration
     */
    public static Server parse(String name) {
        for (Server server : values()) {
            if (server.key().equals(name.toLowerCase(Locale.ROOT))) {
                return server;
            }
        }
        if (WITHOUT_DURATION.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("\"" + name + "\" has no duration field. " + advice(null));
        }
        throw new IllegalArgumentException("\"" + name + "\" is no format; expected one of "
                + Arrays.stream(values()).map(Server::key).collect(Collectors.joining(", ")));
    }

    /** What to add to a server's configuration so that it logs durations; to that of each if none is named. */
    public static String advice(@Nullable Server server) {
        return server == null
                ? Arrays.stream(values())
                        .filter(each -> !each.configuration().isEmpty())
                        .map(each -> each.key() + ": " + each.configuration())
                        .collect(Collectors.joining(
                                System.lineSeparator() + "  ",
                                "Add it to the server's configuration:" + System.lineSeparator() + "  ",
                                ""))
                : server.configuration().isEmpty()
                        ? ""
                        : "Add it to the server's configuration:" + System.lineSeparator() + "  "
                                + server.configuration();
    }

    /** What in a pattern gives the host that was called. */
    public String hostFields() {
        return switch (this) {
            case NGINX -> "$proxy_host or $host";
            case TOMCAT, TOMCAT9, HTTPD -> "%v or %{Host}i";
            case JETTY -> "%{Host}i";
            case UNDERTOW -> "%v or %{i,Host}";
            case CLOUDFRONT -> "x-host-header or cs(Host)";
            case ALB -> "its request line";
        };
    }

    private String configuration() {
        return switch (this) {
            case TOMCAT, TOMCAT9 ->
                "<Valve className=\"org.apache.catalina.valves.AccessLogValve\" pattern=\""
                        + pattern.replace("\"", "&quot;") + "\"/>";
            case JETTY -> "new CustomRequestLog(writer, \"" + pattern.replace("\"", "\\\"") + "\")";
            case NGINX -> "log_format timed '" + pattern + "'; access_log /var/log/nginx/access.log timed;";
            case HTTPD ->
                "LogFormat \"" + pattern.replace("\"", "\\\"") + "\" timed" + " and CustomLog logs/access_log timed";
            case UNDERTOW ->
                "an AccessLogHandler with '" + pattern + "', and UndertowOptions.RECORD_REQUEST_START_TIME set to true";
            case CLOUDFRONT, ALB -> "";
        };
    }
}
