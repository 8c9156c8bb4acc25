package dev.hangup.jersey;

import java.net.HttpRetryException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where an answer sends on to, followed as the JDK's own connections do it: by the same protocol only, and to another host without
 * what was meant for the first one's eyes. The JDK's HTTP client follows in other ways, and before 2025 told any host everything.
 */
final class Redirects {
    private static final int MOVED_PERMANENTLY = 301;
    private static final int FOUND = 302;
    private static final int SEE_OTHER = 303;
    private static final int TEMPORARY = 307;
    private static final int PERMANENT = 308;

    private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie", "cookie2");

    private Redirects() {}

    /** Null if the answer is to be taken as it is. */
    static @Nullable URI target(HttpRequest asked, ResponseInfo head) {
        switch (head.statusCode()) {
            case MOVED_PERMANENTLY, FOUND, SEE_OTHER, TEMPORARY, PERMANENT -> {
                String location = head.headers().firstValue("location").orElse("");
                try {
                    URI target = asked.uri().resolve(location);
                    return !location.isEmpty()
                                    && target.getHost() != null
                                    && asked.uri().getScheme().equalsIgnoreCase(target.getScheme())
                            ? target
                            : null;
                } catch (IllegalArgumentException noAddress) {
                    return null;
                }
            }
            default -> {
                return null;
            }
        }
    }

    /** @throws HttpRetryException if that would be to send a body again that is gone */
    static HttpRequest request(URI target, HttpRequest asked, int status) throws HttpRetryException {
        boolean known = isSameHost(asked.uri(), target);
        boolean read = isRead(asked.method(), status);
        if (!read && asked.bodyPublisher().filter(SentBody.class::isInstance).isPresent()) {
            throw new HttpRetryException(
                    "cannot retry due to redirection, in streaming mode", status, target.toString());
        }
        HttpRequest.Builder next = HttpRequest.newBuilder(asked, (name, value) -> {
                    String field = name.toLowerCase(Locale.ROOT);
                    return (known || !CREDENTIALS.contains(field)) && (!read || !field.startsWith("content-"));
                })
                .uri(target);
        if (read) {
            next.method("GET", BodyPublishers.noBody()).expectContinue(false);
        }
        return next.build();
    }

    /** What was sent has been taken, and its outcome is to be read. */
    private static boolean isRead(String method, int status) {
        return switch (status) {
            case MOVED_PERMANENTLY, FOUND -> method.equals("POST");
            case SEE_OTHER -> !method.equals("GET") && !method.equals("HEAD");
            default -> false;
        };
    }

    private static boolean isSameHost(URI first, URI second) {
        return first.getHost().equalsIgnoreCase(second.getHost()) && port(first) == port(second);
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }
}
