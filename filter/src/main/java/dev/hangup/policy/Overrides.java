package dev.hangup.policy;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads a filter's parameters into a builder, each with or without {@code hangup.} in front of its name. */
final class Overrides {

    private static final String PREFIX = "hangup.";
    private static final String DOCUMENT = "policy";

    /** A whole document comes first, because a parameter of its own is more particular; the rest by name. */
    private static final Comparator<String> ORDER = Comparator.comparing(
                    (String name) -> !bare(name).equals(DOCUMENT))
            .thenComparing(Comparator.naturalOrder());

    private Overrides() {}

    static void read(Map<String, String> params, String place, PolicyBuilder builder, Problems problems) {
        Keys keys = keys(place, builder, problems);
        Set<String> seen = new HashSet<>();
        Map<String, String> ordered = new TreeMap<>(ORDER);
        ordered.putAll(params);
        ordered.forEach((name, text) -> {
            YamlNode value = new YamlNode.Scalar(text.strip(), false, 0, 0, 0, 0);
            Field field = new Field(problems, place, name, value, value);
            if (seen.add(bare(name))) {
                keys.read(bare(name), field);
            } else {
                field.keyProblem("given twice, with and without \"" + PREFIX + "\"", "each parameter once");
            }
        });
    }

    private static Keys keys(String place, PolicyBuilder builder, Problems problems) {
        Keys keys = new Keys()
                .on("mode", field -> field.value(Mode::parse, builder::mode))
                .on("half-close", field -> field.value(HalfClose::parse, builder::halfClose))
                .on("zone", field -> field.value(PolicyDocument::zone, builder::zone))
                .on("deadline", field -> field.value(Durations::parse, builder::deadline));
        new SettingKeys(builder).addTo(keys);
        // Where the file is and whether there is a filter at all is the front door's business.
        return keys.on(
                        DOCUMENT,
                        field -> PolicyDocument.read(
                                place + " " + field.path(), field.value().shown(), builder, problems))
                .on("config", field -> {})
                .on("enabled", field -> {});
    }

    private static String bare(String name) {
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }
}
