package dev.hangup.tune.apply;

import java.util.ArrayList;
import java.util.List;

/** Shows edits as {@code diff -u} would, so that {@code patch} understands them too. */
final class UnifiedDiff {

    private static final int CONTEXT = 3;

    /** Lines of the old text, the first counted from 0, and those that stand in their place. */
    private record Change(int first, List<String> old, List<String> now) {

        int last() {
            return first + old.size();
        }
    }

    private final List<String> lines;
    private final StringBuilder text = new StringBuilder();
    /** How many lines more than before the new text has above the hunk. */
    private int shift;

    private UnifiedDiff(List<String> lines) {
        this.lines = lines;
    }

    /** The differences; empty if there are none. */
    static String of(Edits edits, String name) {
        List<Change> changes = changes(edits);
        if (changes.isEmpty()) {
            return "";
        }
        UnifiedDiff diff = new UnifiedDiff(lines(edits.before()));
        diff.text.append("--- ").append(name).append("\n+++ ").append(name).append('\n');
        List<Change> hunk = new ArrayList<>();
        for (Change change : changes) {
            if (!hunk.isEmpty() && change.first() - hunk.get(hunk.size() - 1).last() > 2 * CONTEXT) {
                diff.hunk(hunk);
                hunk.clear();
            }
            hunk.add(change);
        }
        diff.hunk(hunk);
        return diff.text.toString();
    }

    private void hunk(List<Change> changes) {
        int from = Math.max(0, changes.get(0).first() - CONTEXT);
        int to = Math.min(lines.size(), changes.get(changes.size() - 1).last() + CONTEXT);
        int more =
                changes.stream().mapToInt(c -> c.now().size() - c.old().size()).sum();
        String head = "@@ -" + range(from, to - from) + " +" + range(from + shift, to - from + more) + " @@\n";
        text.append(head);
        shift += more;
        int at = from;
        for (Change change : changes) {
            lines.subList(at, change.first()).forEach(line -> line(' ', line));
            change.old().forEach(line -> line('-', line));
            change.now().forEach(line -> line('+', line));
            at = change.last();
        }
        lines.subList(at, to).forEach(line -> line(' ', line));
    }

    private static String range(int from, int size) {
        return (size == 0 ? from : from + 1) + "," + size;
    }

    private void line(char sign, String line) {
        text.append(sign).append(line);
        if (!line.endsWith("\n")) {
            text.append("\n\\ No newline at end of file\n");
        }
    }

    /** Edits that share a line, or begin in the one where another ends, are one change. */
    private static List<Change> changes(Edits edits) {
        String before = edits.before();
        List<Change> changes = new ArrayList<>();
        List<Edits.Edit> all = edits.inOrder();
        for (int i = 0; i < all.size(); ) {
            int begin = lineBegin(before, all.get(i).begin());
            int end = reach(before, all.get(i));
            int next = i + 1;
            while (next < all.size()
                    && sharesLine(lineBegin(before, all.get(next).begin()), begin, end)) {
                end = Math.max(end, reach(before, all.get(next++)));
            }
            String now = edits.after(begin, end, all.subList(i, next));
            int first = lines(before.substring(0, begin)).size();
            changes.add(new Change(first, lines(before.substring(begin, end)), lines(now)));
            i = next;
        }
        return changes;
    }

    private static boolean sharesLine(int line, int begin, int end) {
        return line < end || line == begin;
    }

    /** To the end of the edit's last line; whole lines that are put between two others change neither. */
    private static int reach(String before, Edits.Edit edit) {
        boolean between = edit.begin() == edit.end()
                && edit.begin() == lineBegin(before, edit.begin())
                && edit.replacement().endsWith("\n");
        if (between) {
            return edit.end();
        }
        int end = before.indexOf('\n', edit.end());
        return end < 0 ? before.length() : end + 1;
    }

    private static int lineBegin(String text, int at) {
        return text.lastIndexOf('\n', at - 1) + 1;
    }

    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        for (int at = 0; at < text.length(); ) {
            int end = text.indexOf('\n', at);
            int to = end < 0 ? text.length() : end + 1;
            lines.add(text.substring(at, to));
            at = to;
        }
        return lines;
    }
}
