package dev.hangup.tune.apply;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Changes to a text, each of a stretch that no other touches. Those at one place keep the order in which they came. One thread. */
final class Edits {

    /** The stretch from begin to end, which is nothing for an insertion, becomes the replacement. */
    record Edit(int begin, int end, String replacement) {}

    private final String before;
    private final List<Edit> edits = new ArrayList<>();

    Edits(String before) {
        this.before = before;
    }

    String before() {
        return before;
    }

    void replace(int begin, int end, String replacement) {
        if (!before.substring(begin, end).equals(replacement)) {
            edits.add(new Edit(begin, end, replacement));
        }
    }

    void insert(int at, String text) {
        edits.add(new Edit(at, at, text));
    }

    boolean isEmpty() {
        return edits.isEmpty();
    }

    /** By their places. */
    List<Edit> inOrder() {
        return edits.stream()
                .sorted(Comparator.comparingInt(Edit::begin).thenComparingInt(Edit::end))
                .toList();
    }

    String after() {
        return after(0, before.length(), inOrder());
    }

    /** What a stretch of the text becomes by edits that lie in it. */
    String after(int begin, int end, List<Edit> within) {
        StringBuilder text = new StringBuilder();
        int at = begin;
        for (Edit edit : within) {
            if (edit.begin() < at) {
                throw new IllegalStateException("two edits of one place, at character " + edit.begin());
            }
            text.append(before, at, edit.begin()).append(edit.replacement());
            at = edit.end();
        }
        return text.append(before, at, end).toString();
    }
}
