package dev.hangup.policy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads one YAML document into {@link YamlNode}s, straight from the parser's events. What a policy does not need and a hostile
 * file would use is refused: aliases and anchors, tags, a second document, deep nesting, more than 1 MiB.
 */
final class YamlReader {

    /** The most that is read of a source, in bytes of a file and in characters of a text. */
    static final int MOST = 1 << 20;

    private static final String EXPECTED = "one plain YAML document";
    private static final int DEEPEST = 16;
    private static final Mark BEGIN = new Mark("", 0, 0, 0, new int[0], 0);
    private static final int PIECE = 1_024;

    private final Iterator<Event> events;
    private final Pace pace;
    /** Where the last event has ended. */
    private Optional<Mark> reached = Optional.of(BEGIN);

    private YamlReader(Iterator<Event> events, Pace pace) {
        this.events = events;
        this.pace = pace;
    }

    /** The document; empty of nodes if the text holds none; null if it was refused, which has been noted then. */
    static @Nullable YamlNode read(String source, String text, Problems problems, Pace pace) {
        if (text.length() > MOST) {
            problems.unusable(source, "larger than 1 MiB", EXPECTED);
            return null;
        }
        PolicyProblem unprintable = unprintable(source, text);
        if (unprintable != null) {
            problems.add(unprintable);
            return null;
        }
        // All in one piece: snakeyaml-engine 3.0.1 fails where a pair of surrogates lies across the end of one.
        LoadSettings settings = LoadSettings.builder()
                .setLabel(source)
                .setCodePointLimit(MOST)
                .setBufferSize(Math.max(text.length() + 1, PIECE))
                .build();
        YamlReader reader = new YamlReader(new Parse(settings).parseString(text).iterator(), pace);
        try {
            return reader.document();
        } catch (Refusal refusal) {
            problems.add(syntax(source, refusal.at, refusal.problem));
        } catch (MarkedYamlEngineException malformed) {
            String problem = malformed.getProblem() == null ? "not YAML" : malformed.getProblem();
            problems.add(syntax(source, malformed.getProblemMark(), problem));
        } catch (RuntimeException unforeseen) {
            // Not all that the parser throws has a place, and not all of it is the parser's own: "\UFFFFFFFF" is no
            // number to it.
            problems.add(syntax(source, reader.reached, "not YAML after this (" + unforeseen.getMessage() + ")"));
        }
        return null;
    }

    private Event next() {
        Event event = events.next();
        Optional<Mark> end = event.getEndMark();
        reached = end.isPresent() ? end : reached;
        return event;
    }

    private YamlNode document() {
        next(); // the stream's start
        Event start = next();
        if (start.getEventId() == Event.ID.StreamEnd) {
            return new YamlNode.Mapping(List.of(), false, 1, 1, YamlNode.Span.NONE);
        }
        YamlNode root = node(next(), 0);
        next(); // the document's end
        Event next = next();
        if (next.getEventId() != Event.ID.StreamEnd) {
            throw new Refusal(next.getStartMark(), "a second document");
        }
        return root;
    }

    private YamlNode node(Event event, int depth) {
        pace.step();
        if (event.getEventId() == Event.ID.Alias) {
            throw new Refusal(event.getStartMark(), "an alias, which a policy may not use");
        }
        NodeEvent node = (NodeEvent) event;
        if (node.getAnchor().isPresent()) {
            throw new Refusal(event.getStartMark(), "an anchor, which a policy may not use");
        }
        if (depth > DEEPEST) {
            throw new Refusal(event.getStartMark(), "nested too deep");
        }
        if (event instanceof ScalarEvent scalar) {
            refuseTag(scalar.getTag(), event);
            boolean plain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
            return new YamlNode.Scalar(
                    scalar.getValue(),
                    plain,
                    line(event.getStartMark()),
                    column(event.getStartMark()),
                    index(event.getStartMark()),
                    index(event.getEndMark()));
        }
        refuseTag(((CollectionStartEvent) event).getTag(), event);
        return event.getEventId() == Event.ID.MappingStart ? mapping(event, depth) : sequence(event, depth);
    }

    private YamlNode mapping(Event start, int depth) {
        List<YamlNode.Pair> pairs = new ArrayList<>();
        int last = index(start.getStartMark());
        Event event = next();
        for (; event.getEventId() != Event.ID.MappingEnd; event = next()) {
            if (!(node(event, depth + 1) instanceof YamlNode.Scalar key)) {
                throw new Refusal(event.getStartMark(), "a key that is not a word");
            }
            YamlNode value = node(next(), depth + 1);
            pairs.add(new YamlNode.Pair(key, value));
            last = value.span().end();
        }
        return new YamlNode.Mapping(
                List.copyOf(pairs),
                ((CollectionStartEvent) start).isFlow(),
                line(start.getStartMark()),
                column(start.getStartMark()),
                span(start, last, event));
    }

    private YamlNode sequence(Event start, int depth) {
        List<YamlNode> items = new ArrayList<>();
        int last = index(start.getStartMark());
        Event event = next();
        for (; event.getEventId() != Event.ID.SequenceEnd; event = next()) {
            YamlNode item = node(event, depth + 1);
            items.add(item);
            last = item.span().end();
        }
        return new YamlNode.Sequence(
                items, line(start.getStartMark()), column(start.getStartMark()), span(start, last, event));
    }

    /** The end of a block is known by what comes after it, so that its own is that of the last value in it. */
    private static YamlNode.Span span(Event start, int last, Event end) {
        boolean flow = ((CollectionStartEvent) start).isFlow();
        return new YamlNode.Span(index(start.getStartMark()), flow ? index(end.getEndMark()) : last);
    }

    private static void refuseTag(Optional<String> tag, Event event) {
        if (tag.isPresent()) {
            throw new Refusal(event.getStartMark(), "a tag, which a policy may not use");
        }
    }

    private static PolicyProblem syntax(String source, Optional<Mark> at, String problem) {
        String shown = PolicyProblem.printable(problem);
        return new PolicyProblem(source, line(at), column(at), "", null, shown, EXPECTED);
    }

    /** Looked for here because the parser's own report counts its place from the last piece that it has read. */
    private static @Nullable PolicyProblem unprintable(String source, String text) {
        int at = 0;
        while (at < text.length()) {
            int codePoint = text.codePointAt(at);
            if (!StreamReader.isPrintable(codePoint)) {
                String problem = String.format("the unprintable character U+%04X", codePoint);
                return PolicyProblem.after(source, text.substring(0, at), problem, EXPECTED);
            }
            at += Character.charCount(codePoint);
        }
        return null;
    }

    private static int line(Optional<Mark> at) {
        return at.map(mark -> mark.getLine() + 1).orElse(0);
    }

    private static int index(Optional<Mark> at) {
        return at.map(Mark::getIndex).orElse(0);
    }

    private static int column(Optional<Mark> at) {
        return at.map(mark -> mark.getColumn() + 1).orElse(0);
    }

    private static final class Refusal extends RuntimeException {

        private final transient Optional<Mark> at;
        private final String problem;

        Refusal(Optional<Mark> at, String problem) {
            super(problem, null, false, false);
            this.at = at;
            this.problem = problem;
        }
    }
}
