package dev.hangup.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Lines of columns: a label at the left, then figures at the right, each column as wide as it needs. */
final class Table {
    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    Table row(String label, String... cells) {
        rows.add(Stream.concat(Stream.of(label), Stream.of(cells)).toList());
        return this;
    }

    Table row(String label, String first, String[] others) {
        return row(label, Stream.concat(Stream.of(first), Stream.of(others)).toArray(String[]::new));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String padding = " ".repeat(width(column) - cell.length());
                line.append(column == 0 ? cell + padding : GAP + padding + cell);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream()
                .filter(row -> column < row.size())
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }

    static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** For example 0.5 s or 3 s. */
    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9).replaceFirst("\\.?0+$", "") + " s";
    }
}
