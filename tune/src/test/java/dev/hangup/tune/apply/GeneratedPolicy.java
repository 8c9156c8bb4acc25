package dev.hangup.tune.apply;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A policy's text in one of the many ways in which people write it, decided by a seed: the same seed with other values gives
 * the same text but for those.
 */
final class GeneratedPolicy {

    static final List<String> WINDOWS = List.of("normal", "spike_00", "spike_30");
    static final String SOURCE = "weather_a";
    static final List<String> ENDPOINTS =
            List.of("GET /reports/{id}", "POST /orders", "GET /caf\u00E9/\uD83D\uDE00", "GET /a\"b/{x}");

    private final Random random;
    /** By entry and window, as they are written. */
    private final Map<String, Map<String, String>> values;

    private final String lineEnd;
    private final StringBuilder text = new StringBuilder();
    private final int step;
    private boolean literal;

    private GeneratedPolicy(long seed, Map<String, Map<String, String>> values) {
        this.random = new Random(seed);
        this.values = values;
        this.lineEnd = List.of("\n", "\n", "\r\n", "\r\n", "\r").get(random.nextInt(5));
        this.step = 1 + random.nextInt(7);
    }

    /** Which values there are, by entry and window, as their writer chose to write them. */
    static Map<String, Map<String, String>> values(long seed) {
        Random random = new Random(seed);
        Map<String, Map<String, String>> values = new LinkedHashMap<>();
        List<String> entries = new ArrayList<>(ENDPOINTS);
        entries.add(SOURCE);
        for (String entry : entries) {
            Map<String, String> own = new LinkedHashMap<>();
            for (String window : WINDOWS) {
                if (random.nextInt(4) > 0) {
                    own.put(
                            window,
                            List.of("1500ms", "1.5s", "1s", "30s", "2m", "1.250s")
                                    .get(random.nextInt(6)));
                }
            }
            values.put(entry, own);
        }
        return values;
    }

    static String text(long seed, Map<String, Map<String, String>> values) {
        return new GeneratedPolicy(seed, values).text();
    }

    private String text() {
        text.append(random.nextInt(10) == 0 ? "\uFEFF" : "");
        comments(0);
        text.append(random.nextInt(6) == 0 ? "---" + lineEnd : "");
        List<Runnable> sections = new ArrayList<>(List.of(this::windows, this::deadlines, this::sources, this::mode));
        Collections.shuffle(sections, random);
        sections.forEach(section -> {
            section.run();
            comments(0);
        });
        boolean open = random.nextInt(4) == 0 && text.toString().endsWith(lineEnd);
        return open ? text.substring(0, text.length() - lineEnd.length()) : text.toString();
    }

    private void mode() {
        line(0, "mode: observe");
    }

    private void windows() {
        line(0, "windows:");
        line(step, "spike_00: { minutes: 0-7 }");
        comments(step);
        line(step, "spike_30: {minutes: 30-37}");
    }

    private void deadlines() {
        line(0, "deadlines:");
        comments(step);
        line(step, "defaults: { normal: 20s }");
        if (random.nextInt(4) == 0) {
            String entries = String.join(
                    "," + lineEnd + " ".repeat(2 * step),
                    ENDPOINTS.stream().map(this::inBraces).toList());
            line(
                    step,
                    "endpoints: { " + entries + (random.nextBoolean() ? " }" : "," + lineEnd + " ".repeat(step) + "}"));
            return;
        }
        line(step, "endpoints:");
        for (String endpoint : ENDPOINTS) {
            comments(2 * step);
            if (random.nextBoolean()) {
                line(2 * step, inBraces(endpoint));
            } else {
                below(2 * step, endpoint, "mode: cancel");
            }
        }
    }

    private void sources() {
        line(0, random.nextBoolean() ? "sources:" : "\"sources\" :");
        below(step, SOURCE, "host: a.example.com");
    }

    private String inBraces(String entry) {
        List<String> members = new ArrayList<>();
        members.add(random.nextBoolean() ? "mode: cancel" : "'mode': \"cancel\"");
        own(entry).forEach((window, value) -> members.add(key(window) + ": " + scalar(value, true)));
        String space = random.nextBoolean() ? " " : "";
        String between = random.nextInt(3) == 0 ? " ,  " : ", ";
        return key(entry) + ": {" + space + String.join(between, members) + space + "}";
    }

    private void below(int indent, String entry, String first) {
        int inner = indent + 1 + random.nextInt(5);
        line(indent, key(entry) + ":");
        line(inner, first);
        own(entry).forEach((window, value) -> {
            comments(random.nextInt(20));
            if (random.nextInt(8) == 0) {
                literal = true;
                text.append(" ".repeat(inner))
                        .append(key(window))
                        .append(": |-")
                        .append(lineEnd);
                text.append(" ".repeat(inner + 2)).append(value).append(lineEnd);
            } else {
                line(inner, key(window) + ":" + " ".repeat(1 + random.nextInt(3)) + scalar(value, false));
            }
        });
    }

    private Map<String, String> own(String entry) {
        return values.getOrDefault(entry, Map.of());
    }

    private String key(String name) {
        boolean word = name.matches("[a-z_0-9]+");
        if (word && random.nextBoolean()) {
            return name;
        }
        return random.nextBoolean() && !name.contains("\"")
                ? "'" + name + "'"
                : "\"" + name.replace("\"", "\\\"") + "\"";
    }

    private String scalar(String value, boolean braces) {
        return switch (random.nextInt(braces ? 4 : 5)) {
            case 0 -> "\"" + value + "\"";
            case 1 -> "'" + value + "'";
            default -> value;
        };
    }

    private void line(int indent, String line) {
        literal = false;
        text.append(" ".repeat(indent)).append(line);
        text.append(List.of("", "", "  ", " # 1.5s, of old", "   # tab").get(random.nextInt(5)));
        text.append(lineEnd);
    }

    /** None right after a literal, which would take them for its own. */
    private void comments(int indent) {
        if (literal) {
            return;
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            String comment = List.of("", " ", "# normal: 30s", "# \u00FCber {} \uD83D\uDE00 \"'")
                    .get(random.nextInt(4));
            text.append(comment.isBlank() ? "" : " ".repeat(indent))
                    .append(comment)
                    .append(lineEnd);
        }
    }
}
