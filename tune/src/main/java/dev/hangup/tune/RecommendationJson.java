package dev.hangup.tune;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Recommendations as JSON, a list of objects; spans are seconds. */
final class RecommendationJson {

    private static final Set<String> KEYS = Set.of(
            "endpoint",
            "window",
            "samples",
            "p95",
            "p99",
            "current",
            "recommended",
            "estimated_success_rate",
            "issue",
            "decision",
            "stability",
            "tail");

    private RecommendationJson() {}

    /** The list as text. */
    static String write(List<Recommendation> recommendations) {
        return Json.indented(
                recommendations.stream().map(RecommendationJson::map).toList());
    }

    /** One of them as a map in the order of its keys. */
    static Map<String, @Nullable Object> map(Recommendation it) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("endpoint", it.endpoint());
        json.put("window", it.window());
        json.put("samples", it.samples());
        json.put("p95", Json.seconds(it.p95()));
        json.put("p99", Json.seconds(it.p99()));
        json.put("current", Json.seconds(it.current()));
        json.put("recommended", Json.seconds(it.recommended()));
        json.put("estimated_success_rate", it.estimatedSuccessRate());
        json.put("issue", it.issue() == null ? null : it.issue().key());
        json.put("decision", it.decision() == null ? null : it.decision().key());
        Map<String, @Nullable Object> stability = new LinkedHashMap<>();
        stability.put("runs", it.stability().runs());
        stability.put("meeting_target", it.stability().meetingTarget());
        stability.put("worst", it.stability().worst());
        stability.put("best", it.stability().best());
        json.put("stability", stability);
        Map<String, @Nullable Object> tail = new LinkedHashMap<>();
        tail.put("errors", it.tail().errors());
        tail.put("slow", it.tail().slow());
        tail.put("departures", it.tail().departures());
        json.put("tail", tail);
        json.putAll(it.more());
        return json;
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws UnreadableInput naming the file, and which entry is wrong how
     */
    static List<Recommendation> read(Path file) {
        Object root = Json.read(file);
        if (!(root instanceof List<?> list)) {
            throw new UnreadableInput(file + ": no list of recommendations");
        }
        List<Recommendation> read = new ArrayList<>();
        for (Object entry : list) {
            read.add(new JsonObject(file + ", entry " + (read.size() + 1), entry).recommendation());
        }
        return List.copyOf(read);
    }

    /** One object of a file, and what errors call its place. */
    private record JsonObject(String place, @Nullable Object value) {

        Recommendation recommendation() {
            JsonObject stability = object("stability");
            JsonObject tail = object("tail");
            Map<String, Object> more = new LinkedHashMap<>();
            fields().forEach((key, field) -> {
                if (key instanceof String name && !KEYS.contains(name)) {
                    more.put(name, field);
                }
            });
            return new Recommendation(
                    text("endpoint"),
                    text("window"),
                    whole("samples"),
                    span("p95"),
                    span("p99"),
                    span("current"),
                    span("recommended"),
                    number("estimated_success_rate"),
                    constant("issue", Issue.class),
                    constant("decision", Decision.class),
                    new Stability(
                            (int) stability.whole("runs"),
                            (int) stability.whole("meeting_target"),
                            stability.number("worst"),
                            stability.number("best")),
                    new Tail(tail.whole("errors"), tail.whole("slow"), tail.whole("departures")),
                    more);
        }

        private Map<?, ?> fields() {
            if (value instanceof Map<?, ?> map) {
                return map;
            }
            throw new UnreadableInput(place + ": no object");
        }

        private JsonObject object(String key) {
            return new JsonObject(place + ", " + key, fields().get(key));
        }

        private String text(String key) {
            if (fields().get(key) instanceof String text) {
                return text;
            }
            throw problem(key, "a text");
        }

        private @Nullable Double number(String key) {
            Object field = fields().get(key);
            if (field == null) {
                return null;
            }
            if (field instanceof Number number && Double.isFinite(number.doubleValue())) {
                return number.doubleValue();
            }
            throw problem(key, "a number or null");
        }

        private long whole(String key) {
            Double number = number(key);
            if (number == null || number < 0 || number != Math.rint(number)) {
                throw problem(key, "a whole number");
            }
            return number.longValue();
        }

        private @Nullable Duration span(String key) {
            Double seconds = number(key);
            if (seconds == null) {
                return null;
            }
            if (seconds < 0 || seconds > 1e9) {
                throw problem(key, "seconds");
            }
            return Duration.ofNanos(Math.round(seconds * 1e9));
        }

        private <E extends Enum<E>> @Nullable E constant(String key, Class<E> type) {
            Object field = fields().get(key);
            if (field == null) {
                return null;
            }
            for (E constant : type.getEnumConstants()) {
                if (constant.name().toLowerCase(Locale.ROOT).equals(field)) {
                    return constant;
                }
            }
            throw problem(
                    key,
                    "null or one of "
                            + List.of(type.getEnumConstants()).toString().toLowerCase(Locale.ROOT));
        }

        private UnreadableInput problem(String key, String expected) {
            return new UnreadableInput(place + ": \"" + key + "\" is not what it should be; expected " + expected);
        }
    }
}
