package dev.hangup.tune.prometheus;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Range queries as Prometheus answers them, and Thanos, Mimir and VictoriaMetrics too. One thread. */
public final class QueryApi {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int LONGEST_SHOWN = 200;

    private final URI base;
    private final Credentials credentials;
    private final HttpClient client;

    /**
     * A value of a time series.
     *
     * @param at seconds since the epoch
     */
    public record Sample(Map<String, String> labels, long at, double value) {}

    /**
     * Asks nothing yet.
     *
     * @param url what stands in front of {@code /api/v1}
     * @throws IllegalArgumentException if it is no such URL
     */
    public QueryApi(String url, Credentials credentials) {
        this.base = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
        if (!List.of("http", "https").contains(String.valueOf(base.getScheme())) || base.getHost() == null) {
            throw new IllegalArgumentException("\"" + url + "\" is no URL such as http://prometheus.example.com:9090");
        }
        if (base.getUserInfo() != null) {
            throw new IllegalArgumentException("a URL with a password in it is seen by everybody; put it into a file");
        }
        this.credentials = credentials;
        this.client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    }

    /**
     * The values of an expression at moments that are a step apart.
     *
     * @param start in seconds since the epoch, as is {@code end}, which is a moment too
     * @throws Unavailable if the server cannot be asked or refuses
     */
    public List<Sample> range(String expression, long start, long end, long step) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("query", expression);
        form.put("start", Long.toString(start));
        form.put("end", Long.toString(end));
        form.put("step", Long.toString(step));
        Map<?, ?> data = map(ask(form).get("data"));
        if (!"matrix".equals(data.get("resultType"))) {
            throw new Unavailable(base + ": answers with " + data.get("resultType") + " where a matrix is expected");
        }
        List<Sample> samples = new ArrayList<>();
        for (Object series : list(data.get("result"))) {
            Map<String, String> labels = new LinkedHashMap<>();
            map(map(series).get("metric"))
                    .forEach((name, value) -> labels.put(String.valueOf(name), String.valueOf(value)));
            for (Object point : list(map(series).get("values"))) {
                List<?> pair = list(point);
                samples.add(new Sample(
                        Map.copyOf(labels),
                        Math.round(Double.parseDouble(String.valueOf(pair.get(0)))),
                        Double.parseDouble(String.valueOf(pair.get(1)).replace("Inf", "Infinity"))));
            }
        }
        return samples;
    }

    private Map<?, ?> ask(Map<String, String> form) {
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + "/api/v1/query_range"))
                .timeout(PATIENCE)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!credentials.header().isEmpty()) {
            request.header("Authorization", credentials.header());
        }
        try {
            return answer(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Unavailable(base + ": interrupted", new InterruptedIOException());
        } catch (IOException failed) {
            throw new Unavailable(base + " cannot be asked: " + failed, failed);
        }
    }

    private Map<?, ?> answer(HttpResponse<String> response) {
        if (response.statusCode() == 401 || response.statusCode() == 403) {
            throw new Unavailable(base + ": answers " + response.statusCode()
                    + ": it wants to know who asks; see --bearer-token-file and --basic-auth-file");
        }
        Map<?, ?> answer;
        try {
            answer = JSON.std.mapFrom(response.body());
        } catch (IOException malformed) {
            throw new Unavailable(
                    base + ": answers " + response.statusCode() + " and no JSON: " + shown(response.body()), malformed);
        }
        if (!"success".equals(answer.get("status"))) {
            throw new Unavailable(base + ": refuses: " + shown(String.valueOf(answer.get("error"))));
        }
        return answer;
    }

    private static String shown(String text) {
        String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return line.length() > LONGEST_SHOWN ? line.substring(0, LONGEST_SHOWN) + "..." : line;
    }

    private Map<?, ?> map(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new Unavailable(base + ": the answer has another form than Prometheus gives it");
    }

    private List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return Objects.requireNonNull(list);
        }
        throw new Unavailable(base + ": the answer has another form than Prometheus gives it");
    }
}
