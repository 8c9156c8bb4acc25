package dev.hangup.tune.apply;

import dev.hangup.policy.PolicyOutline;
import java.util.LinkedHashMap;
import java.util.Map;

/** Puts keys that are not there yet into sections of a policy, in the way in which the section is written. One thread. */
final class Insertion {

    private static final int STEP = 2;

    private final Edits edits;
    private final String text;
    private final String lineEnd;
    /** How far a section's keys stand to the right of its name, as the document has it. */
    private final int step;

    Insertion(Edits edits, PolicyOutline root) {
        this.edits = edits;
        this.text = edits.before();
        this.lineEnd = lineEnd(text);
        this.step = root.members().stream()
                .filter(member -> member.value().kind() == PolicyOutline.Kind.BLOCK)
                .map(member ->
                        column(member.value().begin()) - column(member.key().begin()))
                .filter(distance -> distance > 0)
                .findFirst()
                .orElse(STEP);
    }

    /**
     * What is to be inserted: a section of further keys, or a single value.
     *
     * @param members empty for a single value
     * @param flow whether a section goes on one line, in braces
     */
    record Content(String value, Map<String, Content> members, boolean flow) {

        static Content value(String value) {
            return new Content(value, Map.of(), true);
        }

        static Content section(Map<String, Content> members, boolean flow) {
            return new Content("", new LinkedHashMap<>(members), flow);
        }

        /** On one line. */
        String inline() {
            return members.isEmpty() ? value : "{ " + inlineMembers() + " }";
        }

        String inlineMembers() {
            StringBuilder line = new StringBuilder();
            members.forEach((key, content) -> line.append(line.isEmpty() ? "" : ", ")
                    .append(key)
                    .append(": ")
                    .append(content.inline()));
            return line.toString();
        }
    }

    /** Adds keys at the end of a section, or of one that is there by name only. */
    void add(PolicyOutline.Member section, Map<String, Content> members) {
        PolicyOutline value = section.value();
        switch (value.kind()) {
            case BLOCK -> addLines(value, members);
            case FLOW -> addInBraces(value, members);
            default -> begin(section, members);
        }
    }

    /** Adds keys at the end of the document. */
    void addToRoot(PolicyOutline root, Map<String, Content> members) {
        if (root.kind() == PolicyOutline.Kind.FLOW) {
            addInBraces(root, members);
        } else if (root.members().isEmpty()) {
            lines(text.length(), 0, members);
        } else {
            addLines(root, members);
        }
    }

    private void addLines(PolicyOutline block, Map<String, Content> members) {
        lines(afterLineOf(block.end()), column(block.begin()), members);
    }

    private void lines(int at, int indent, Map<String, Content> members) {
        StringBuilder lines = new StringBuilder();
        members.forEach((key, content) -> line(lines, indent, key, content));
        boolean open = at > 0 && !isLineEnd(text.charAt(at - 1));
        if (open) {
            // The last line has no end: then the new last one has none either.
            edits.insert(at, lineEnd + lines.substring(0, lines.length() - lineEnd.length()));
        } else {
            edits.insert(at, lines.toString());
        }
    }

    private void line(StringBuilder lines, int indent, String key, Content content) {
        lines.append(" ".repeat(indent)).append(key).append(':');
        if (content.flow()) {
            lines.append(' ').append(content.inline()).append(lineEnd);
        } else {
            lines.append(lineEnd);
            content.members().forEach((inner, value) -> line(lines, indent + step, inner, value));
        }
    }

    private void addInBraces(PolicyOutline flow, Map<String, Content> members) {
        String added = Content.section(members, true).inlineMembers();
        if (!flow.members().isEmpty()) {
            PolicyOutline.Member last = flow.members().get(flow.members().size() - 1);
            edits.insert(end(last), ", " + added);
            return;
        }
        String inside = text.substring(flow.begin() + 1, flow.end() - 1);
        if (inside.isBlank() && inside.lines().count() <= 1) {
            edits.replace(flow.begin() + 1, flow.end() - 1, " " + added + " ");
        } else {
            edits.insert(flow.begin() + 1, " " + added);
        }
    }

    /** The key is there and has nothing: it gets braces, whatever is around it. */
    private void begin(PolicyOutline.Member section, Map<String, Content> members) {
        PolicyOutline value = section.value();
        String braces = Content.section(members, true).inline();
        if (value.begin() < value.end()) {
            edits.replace(value.begin(), value.end(), braces);
        } else {
            edits.insert(end(section), (hasColon(section) ? " " : ": ") + braces);
        }
    }

    /** In braces a key may do without its colon. */
    private boolean hasColon(PolicyOutline.Member member) {
        int end = member.key().end();
        return text.substring(end, Math.max(end, member.value().end())).contains(":");
    }

    private int end(PolicyOutline.Member member) {
        return hasColon(member) ? member.value().end() : member.key().end();
    }

    /** The begin of the line after the one in which something ends. */
    private int afterLineOf(int end) {
        int at = end;
        if (at > 0 && isLineEnd(text.charAt(at - 1))) {
            return at;
        }
        while (at < text.length() && !isLineEnd(text.charAt(at))) {
            at++;
        }
        return text.startsWith("\r\n", at) ? at + 2 : Math.min(at + 1, text.length());
    }

    private int column(int at) {
        int begin = at;
        while (begin > 0 && !isLineEnd(text.charAt(begin - 1)) && text.charAt(begin - 1) != '\uFEFF') {
            begin--;
        }
        return text.codePointCount(begin, at);
    }

    private static boolean isLineEnd(char c) {
        return c == '\n' || c == '\r';
    }

    /** The one that the text uses, as its first line shows. */
    private static String lineEnd(String text) {
        int at = 0;
        while (at < text.length() && !isLineEnd(text.charAt(at))) {
            at++;
        }
        if (text.startsWith("\r\n", at)) {
            return "\r\n";
        }
        return text.startsWith("\r", at) ? "\r" : "\n";
    }
}
