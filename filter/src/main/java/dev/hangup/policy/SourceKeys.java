package dev.hangup.policy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads the section {@code sources}: its defaults, and one section for each source. */
final class SourceKeys {

    /** A name or an address, and a port. */
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\\[[0-9A-Fa-f:.]{2,45}\\])(?::[0-9]{1,5})?");

    private SourceKeys() {}

    static void read(String name, Field field, PolicyBuilder builder) {
        if (name.equals("defaults")) {
            field.section(WindowKeys.addTo(new Keys(), builder, builder::timeout));
            return;
        }
        Map<String, Duration> timeouts = new LinkedHashMap<>();
        String[] host = {""};
        boolean[] named = {false};
        Keys keys = new Keys().on("host", f -> {
            named[0] = true;
            f.value(SourceKeys::host, text -> host[0] = text);
        });
        field.section(WindowKeys.addTo(keys, builder, timeouts::put));
        if (!named[0]) {
            field.keyProblem("no host", "host: and who serves it, such as a.example.com or a.example.com:8443");
        } else if (!host[0].isEmpty()) {
            String other = builder.sourceAt(host[0]);
            if (other == null || other.equals(name)) {
                builder.source(name, host[0], timeouts);
            } else {
                field.keyProblem("the same host as \"" + other + "\"", "each host once");
            }
        }
    }

    private static String host(String text) {
        if (!HOST.matcher(text).matches()) {
            throw new MalformedValue(
                    text,
                    text.isEmpty() ? "no value" : "no host",
                    "a host such as a.example.com or a.example.com:8443, without a scheme and a path");
        }
        return text;
    }
}
