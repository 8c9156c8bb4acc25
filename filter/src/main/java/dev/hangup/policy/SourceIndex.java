package dev.hangup.policy;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A policy's sources by name and by host. Immutable. */
final class SourceIndex {

    private final Map<String, Source> byName = new LinkedHashMap<>();
    private final Map<String, Source> byHost = new LinkedHashMap<>();

    SourceIndex(Iterable<Source> sources) {
        for (Source source : sources) {
            byName.put(source.name(), source);
            byHost.put(key(source.host()), source);
        }
    }

    Source named(String name) {
        Source source = byName.get(name);
        if (source == null) {
            throw new IllegalArgumentException(
                    "the policy has no source \"" + name + "\"; expected one of " + byName.keySet());
        }
        return source;
    }

    @Nullable
    Source at(String host, int port) {
        Source exact = port < 0 ? null : byHost.get(key(host + ":" + port));
        return exact == null ? byHost.get(key(host)) : exact;
    }

    /** Host names have no case (RFC 3986, section 3.2.2). */
    static String key(String host) {
        return host.toLowerCase(Locale.ROOT);
    }
}
