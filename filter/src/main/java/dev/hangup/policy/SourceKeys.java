package dev.hangup.policy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the section {@code sources}: its defaults, and one section for each source. */
final class SourceKeys {

    /** Sources in one policy. */
    static final int MOST = 10_000;

    /** A name or an address, and a port. */
    private static final Pattern HOST = Pattern.compile(
            "(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\\[[0-9A-Fa-f:.]{2,45}\\])(?::([1-9][0-9]{0,4}))?");

    private static final int LAST_PORT = 65_535;

    private final PolicyBuilder builder;
    private final Keys defaults;
    /** Of one source after the other, read into what follows. */
    private final Keys keys;

    private Map<String, Duration> timeouts = Map.of();
    /** Empty: it is malformed. */
    private String host = "";

    private boolean named;
    /** Said already. */
    private boolean full;

    SourceKeys(PolicyBuilder builder) {
        this.builder = builder;
        this.defaults = WindowKeys.addTo(new Keys(), builder, builder::timeout);
        Keys own = new Keys().on("host", field -> {
            named = true;
            field.value(SourceKeys::host, text -> host = text);
        });
        this.keys = WindowKeys.addTo(own, builder, (window, timeout) -> timeouts.put(window, timeout));
    }

    void read(String name, Field field) {
        if (name.equals("defaults")) {
            field.section(defaults);
            return;
        }
        timeouts = new LinkedHashMap<>();
        host = "";
        named = false;
        field.section(keys);
        if (!named) {
            field.keyProblem("no host", "host: and who serves it, such as a.example.com or a.example.com:8443");
        } else if (!host.isEmpty()) {
            add(name, field);
        }
    }

    private void add(String name, Field field) {
        String other = builder.sourceAt(host);
        if (other != null && !other.equals(name)) {
            field.keyProblem("the same host as \"" + other + "\"", "each host once");
        } else if (builder.sources.size() == MOST && !builder.sources.containsKey(name)) {
            if (!full) {
                field.keyProblem("one source too many", "at most " + MOST);
            }
            full = true;
        } else {
            builder.source(name, host, timeouts);
        }
    }

    private static String host(String text) {
        Matcher matcher = HOST.matcher(text);
        if (!matcher.matches() || (matcher.group(1) != null && Integer.parseInt(matcher.group(1)) > LAST_PORT)) {
            throw new MalformedValue(
                    text,
                    text.isEmpty() ? "no value" : "no host",
                    "a host such as a.example.com or a.example.com:8443, without a scheme and a path");
        }
        return text;
    }
}
