package dev.hangup.policy;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one policy document into a builder: which sections there are and what may stand in them. */
final class PolicyDocument {

    /** Endpoints in one document. */
    static final int MOST = 10_000;

    private final PolicyBuilder builder;
    private final Map<String, String> namesByShape = new HashMap<>();
    private final EntryFields entry;

    private PolicyDocument(PolicyBuilder builder) {
        this.builder = builder;
        this.entry = new EntryFields(builder);
    }

    static void read(String source, String text, PolicyBuilder builder, Problems problems) {
        YamlNode root = YamlReader.read(source, text, problems, builder.pace);
        if (root != null) {
            Field whole = new Field(problems, source, "", root, root);
            // Before all others, wherever it stands: its names are keys in them.
            whole.first("windows").ifPresent(windows -> WindowKeys.read(windows, builder));
            whole.section(new PolicyDocument(builder).sections());
        }
    }

    /** The zone's parser, which the parameters of a filter share. */
    static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException unknown) {
            throw new MalformedValue(
                    text, text.isEmpty() ? "no value" : "unknown zone", "a time zone such as UTC or Europe/Paris");
        }
    }

    private Keys sections() {
        return new Keys()
                .on("mode", field -> field.value(Mode::parse, builder::mode))
                .on("half-close", field -> field.value(HalfClose::parse, builder::halfClose))
                .on("zone", field -> field.value(PolicyDocument::zone, builder::zone))
                .on("settings", field -> field.section(new SettingKeys(builder).addTo(new Keys())))
                .on("windows", field -> {})
                .on("caller-deadline", field -> field.section(CallerDeadlineKeys.of(builder)))
                .on("deadlines", field -> field.section(deadlines()))
                .on("sources", field -> field.names(new SourceKeys(builder)::read));
    }

    private Keys deadlines() {
        Keys defaults = WindowKeys.addTo(new Keys(), builder, builder::deadline);
        return new Keys()
                .on("defaults", field -> field.section(defaults))
                .on("endpoints", field -> field.names(this::endpoint));
    }

    private void endpoint(String name, Field field) {
        builder.pace.step();
        Template template = template(name, field);
        entry.entry = Entry.INHERITED;
        field.section(entry.keys);
        if (template == null) {
            return;
        }
        String first = namesByShape.putIfAbsent(template.shape(), template.name());
        if (first == null && namesByShape.size() > MOST) {
            if (namesByShape.size() == MOST + 1) {
                field.keyProblem("one endpoint too many", "at most " + MOST);
            }
        } else if (first == null) {
            builder.endpoint(template, entry.entry);
        } else {
            field.keyProblem("the same requests as \"" + first + "\"", "each endpoint once");
        }
    }

    private static @Nullable Template template(String name, Field field) {
        try {
            return Template.parse(name);
        } catch (MalformedValue malformed) {
            field.keyProblem(malformed.problem(), malformed.expected());
            return null;
        }
    }

    /** One endpoint's entry after the other while its fields are read. */
    private static final class EntryFields {

        private Entry entry = Entry.INHERITED;
        private final Keys keys;

        EntryFields(PolicyBuilder builder) {
            Keys own = new Keys()
                    .on("mode", field -> field.value(Mode::parse, mode -> entry = entry.mode(mode)))
                    .on("interrupt", field -> field.value(EntryFields::flag, flag -> entry = entry.interrupt(flag)))
                    .on("escalate-after", field -> field.value(Durations::parse, d -> entry = entry.escalateAfter(d)))
                    .on("stuck-after", field -> field.value(Durations::parse, d -> entry = entry.stuckAfter(d)))
                    .on("covers", field -> field.value(Covers::parse, c -> entry = entry.covers(c)))
                    .on("half-close", field -> field.value(HalfClose::parse, h -> entry = entry.halfClose(h)));
            keys = WindowKeys.addTo(own, builder, (window, d) -> entry = entry.in(window, d));
        }

        private static boolean flag(String text) {
            if (!text.equals("true") && !text.equals("false")) {
                throw new MalformedValue(text, text.isEmpty() ? "no value" : "neither true nor false", "true or false");
            }
            return text.equals("true");
        }
    }
}
