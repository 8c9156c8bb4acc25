package dev.hangup.policy;

import dev.hangup.policy.DeadlineHeader.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * The headers in which callers declare their deadlines: {@code x-request-timeout-ms}, {@code x-envoy-expected-rq-timeout-ms}
 * (both a number of milliseconds), {@code grpc-timeout} (gRPC over HTTP/2: at most eight digits and a unit), {@code prefer-wait}
 * ({@code Prefer: wait=10}, RFC 7240 section 4.3, in seconds), and those that a {@link ServiceLoader} finds. Servlet-free and
 * stateless; any thread.
 */
public final class DeadlineHeaders {

    /** No header is read that is longer, in characters, or that comes in more lines than {@link #MOST_LINES}. */
    public static final int LONGEST = 256;

    /** Of one header in one request. */
    public static final int MOST_LINES = 8;

    private static final List<DeadlineHeader> OWN = List.of(
            new MillisHeader("x-request-timeout-ms"),
            new MillisHeader("x-envoy-expected-rq-timeout-ms"),
            new GrpcTimeout(),
            new PreferWait());

    private DeadlineHeaders() {}

    /**
     * The header that a policy calls by this name.
     *
     * @throws IllegalArgumentException if there is none; the message names those that there are
     */
    public static DeadlineHeader named(String name) {
        Map<String, DeadlineHeader> known = known();
        DeadlineHeader header = known.get(name);
        if (header == null) {
            throw new MalformedValue(
                    name,
                    name.isEmpty() ? "no value" : "unknown header",
                    "one of " + String.join(", ", known.keySet()));
        }
        return header;
    }

    /** Reads what a request carries of one header. Never throws; bounded by {@link #LONGEST} and {@link #MOST_LINES}. */
    public static Reading read(DeadlineHeader header, List<String> lines) {
        if (lines.size() > MOST_LINES || lines.stream().anyMatch(line -> line.length() > LONGEST)) {
            return Reading.REJECTED;
        }
        try {
            return header.read(lines);
        } catch (RuntimeException foreign) {
            return Reading.REJECTED; // a provider's; ours throw nothing
        }
    }

    /**
     * What a request says in this header when it is passed on and is waited for so long: that, in place of what its lines say of it
     * themselves, and all else that they say (other preferences of {@code Prefer}).
     *
     * @param lines those that it has, none or more
     * @param span above zero
     */
    public static List<String> told(DeadlineHeader header, List<String> lines, Duration span) {
        List<String> told = new ArrayList<>();
        for (String line : lines) {
            String kept = read(header, List.of(line)) == Reading.SILENT ? line : header.rest(line);
            if (!kept.isEmpty()) {
                told.add(kept);
            }
        }
        told.add(header.format(span));
        return told;
    }

    private static Map<String, DeadlineHeader> known() {
        Map<String, DeadlineHeader> known = new LinkedHashMap<>();
        OWN.forEach(header -> known.put(header.name(), header));
        found().forEach(header -> known.putIfAbsent(header.name(), header));
        return known;
    }

    /** One that cannot be loaded is as if it were not there; a policy that names it says so. */
    private static List<DeadlineHeader> found() {
        List<DeadlineHeader> found = new ArrayList<>();
        Iterator<DeadlineHeader> providers = ServiceLoader.load(
                        DeadlineHeader.class, DeadlineHeader.class.getClassLoader())
                .iterator();
        while (true) {
            try {
                if (!providers.hasNext()) {
                    return found;
                }
                found.add(providers.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                System.getLogger("dev.hangup")
                        .log(System.Logger.Level.WARNING, "a deadline header cannot be used: {0}", e.toString());
            }
        }
    }
}
