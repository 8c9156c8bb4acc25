package dev.hangup.policy;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keys that exist in one section, and who reads each. */
final class Keys {

    private static final int LONGEST_COMPARED = 40;
    /** A policy may have very many windows, and a file very many errors. */
    private static final int MOST_NAMED = 30;

    private final Map<String, Consumer<Field>> readers = new LinkedHashMap<>();
    private String note = "";

    Keys on(String key, Consumer<Field> reader) {
        readers.put(key, reader);
        return this;
    }

    /** What the error about an unknown key adds to the list of those that exist. */
    Keys note(String note) {
        this.note = " (" + note + ")";
        return this;
    }

    /** Hands the field to the reader of the key, or notes that there is no such key. */
    void read(String key, Field field) {
        Consumer<Field> reader = readers.get(key);
        if (reader != null) {
            reader.accept(field);
            return;
        }
        String nearest = nearest(key);
        String guess = nearest == null ? "" : " (did you mean \"" + nearest + "\"?)";
        field.keyProblem("unknown key" + guess, "one of " + known() + note);
    }

    private String known() {
        String first = readers.keySet().stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return readers.size() <= MOST_NAMED ? first : first + " and " + (readers.size() - MOST_NAMED) + " more";
    }

    private @Nullable String nearest(String key) {
        if (key.length() > LONGEST_COMPARED) {
            return null;
        }
        String typed = key.toLowerCase(Locale.ROOT).replace('_', '-');
        String nearest = null;
        int least = Math.max(1, typed.length() / 3) + 1;
        for (String candidate : readers.keySet()) {
            int distance = distance(typed, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** How many characters must be put in, taken out, replaced or swapped with their neighbour. */
    private static int distance(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int replaced = steps[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                steps[i][j] = Math.min(replaced, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
                boolean swapped = i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1);
                if (swapped) {
                    steps[i][j] = Math.min(steps[i][j], 1 + steps[i - 2][j - 2]);
                }
            }
        }
        return steps[one.length()][other.length()];
    }
}
