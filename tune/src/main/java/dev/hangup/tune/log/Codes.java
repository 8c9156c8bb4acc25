package dev.hangup.tune.log;

/** What a code in a pattern stands for, server by server. Any code that is not known is a text of no interest. */
final class Codes {

    private Codes() {}

    /** A code of Tomcat, Jetty, httpd or Undertow, but for that of the time. */
    static Field percent(Server server, char code, String argument) {
        return switch (code) {
            case 'r' -> Field.REQUEST;
            case 'm' -> Field.METHOD;
            case 'U' -> Field.TARGET;
            case 's' -> Field.STATUS;
            case 'v', 'V' -> Field.HOST;
            case 'X' -> Field.CONNECTION;
            case 'D' -> server == Server.TOMCAT9 || server == Server.UNDERTOW ? Field.MILLIS : Field.MICROS;
            case 'T' -> seconds(argument);
            case 'i' -> argument.equalsIgnoreCase("host") ? Field.HOST : Field.SKIPPED;
            case '{' -> argument.equalsIgnoreCase("i,host") ? Field.HOST : Field.SKIPPED;
            default -> Field.SKIPPED;
        };
    }

    private static Field seconds(String unit) {
        return switch (unit) {
            case "us" -> Field.MICROS;
            case "ms" -> Field.MILLIS;
            case "", "s" -> Field.SECONDS;
            default ->
                throw new IllegalArgumentException(
                        "pattern: %{" + unit + "}T cannot be read; expected %{us}T, %{ms}T or %{s}T");
        };
    }

    /** A variable of nginx, or of the pattern of a load balancer's lines. */
    static Field nginx(String variable) {
        return switch (variable) {
            case "time_local" -> Field.COMMON_TIME;
            case "time_iso8601" -> Field.ISO_TIME;
            case "msec" -> Field.EPOCH_SECONDS;
            case "start" -> Field.ISO_START;
            case "request" -> Field.REQUEST;
            case "request_method" -> Field.METHOD;
            case "request_uri", "uri", "document_uri" -> Field.TARGET;
            case "status" -> Field.STATUS;
            case "host", "http_host", "server_name", "proxy_host" -> Field.HOST;
            case "request_time" -> Field.FRACTION;
            case "upstream_response_time" -> Field.UPSTREAM;
            case "request_part", "response_part" -> Field.SECONDS_PART;
            case "target_part" -> Field.SECONDS_UPSTREAM_PART;
            default -> Field.SKIPPED;
        };
    }
}
