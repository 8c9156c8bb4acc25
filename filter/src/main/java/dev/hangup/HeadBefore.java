package dev.hangup;

import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a response's head was before the application came: the answer to a cancel keeps what filters in front of ours have set (CORS,
 * security, a request's id), and nothing of the application's. Only what the application touches is noted, as it was. What
 * describes a body, says for how long it may be kept, or where to go instead, is of no answer but its own.
 */
final class HeadBefore {
    private static final Set<String> OF_ANOTHER_ANSWER = Set.of(
            "accept-ranges",
            "cache-control",
            "content-digest",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-length",
            "content-location",
            "content-md5",
            "content-range",
            "content-type",
            "etag",
            "expires",
            "last-modified",
            "location",
            "retry-after",
            "trailer",
            "transfer-encoding");

    /** By name, whatever its case. Null until the application touches one. Guarded by this. */
    private @Nullable Map<String, List<String>> touched;

    /** The application is about to set this header, or to add to it. */
    synchronized void touch(HttpServletResponse response, @Nullable String name) {
        if (name == null) {
            return; // the container says what it thinks of that
        }
        Map<String, List<String>> known = touched;
        if (known == null) {
            known = headers();
            touched = known;
        }
        if (!known.containsKey(name)) {
            known.put(name, List.copyOf(response.getHeaders(name)));
        }
    }

    /** The application has reset the response, and with it what others have set. */
    synchronized void forget() {
        touched = null;
    }

    /** Resets a response that is not committed to what it was before. */
    synchronized void restore(HttpServletResponse response) {
        Map<String, List<String>> kept = headers();
        for (String name : response.getHeaderNames()) {
            kept.put(name, List.copyOf(response.getHeaders(name)));
        }
        if (touched != null) {
            kept.putAll(touched);
        }
        response.reset();
        kept.forEach((name, values) -> {
            // Jetty sets some of its own again.
            if (!OF_ANOTHER_ANSWER.contains(name.toLowerCase(Locale.ROOT)) && !response.containsHeader(name)) {
                values.forEach(value -> response.addHeader(name, value));
            }
        });
    }

    private static Map<String, List<String>> headers() {
        return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    }
}
