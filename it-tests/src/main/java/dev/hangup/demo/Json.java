package dev.hangup.demo;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Objects, numbers and nothing else, as JSON. */
final class Json {
    private Json() {}

    /** Maps become objects in their own order; everything else must be a finite number. */
    static String of(Map<String, ?> object) {
        return of(object, "") + "\n";
    }

    private static String of(Object value, String indent) {
        if (value instanceof Map<?, ?> object) {
            String inner = indent + "  ";
            return object.entrySet().stream()
                    .map(entry -> inner + '"' + entry.getKey() + "\": " + of(entry.getValue(), inner))
                    .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
        }
        if (value instanceof Integer || value instanceof Long) {
            return value.toString();
        }
        double number = ((Number) value).doubleValue();
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException("not a number in JSON: " + number);
        }
        return String.format(Locale.ROOT, "%.6f", number).replaceFirst("\\.?0+$", "");
    }
}
