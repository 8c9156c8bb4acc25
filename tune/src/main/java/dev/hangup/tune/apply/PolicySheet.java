package dev.hangup.tune.apply;

import dev.hangup.policy.Durations;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import dev.hangup.policy.PolicyOutline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a policy's text says of each endpoint and source, window by window, and where. Immutable. */
public final class PolicySheet {

    static final String NORMAL = "normal";

    private static final Duration DEFAULT = Duration.ofSeconds(30);
    private static final Pattern VARIABLE = Pattern.compile("\\{[^}]*\\}");

    private final String text;
    private final Policy policy;
    private final PolicyOutline root;
    private final List<String> windows = new ArrayList<>(List.of(NORMAL));
    /** By shape. */
    private final Map<String, PolicyOutline.Member> endpoints = new HashMap<>();
    /** By name, and by host where no source has it for a name. */
    private final Map<String, PolicyOutline.Member> sources = new HashMap<>();

    private PolicySheet(String text, Policy policy, PolicyOutline root) {
        this.text = text;
        this.policy = policy;
        this.root = root;
        members("windows").forEach(window -> windows.add(window.key().text()));
        entries(Target.Kind.ENDPOINT)
                .forEach(entry -> endpoints.put(shape(entry.key().text()), entry));
        entries(Target.Kind.SOURCE).forEach(entry -> sources.put(entry.key().text(), entry));
        entries(Target.Kind.SOURCE).forEach(entry -> sources.putIfAbsent(host(entry), entry));
    }

    /**
     * Reads a policy.
     *
     * @param source what errors call it
     * @throws dev.hangup.policy.PolicyException if it is none
     */
    public static PolicySheet of(String source, String text) {
        Policy policy = PolicyFile.parse(source, text).policy();
        return new PolicySheet(text, policy, PolicyOutline.of(source, text));
    }

    String text() {
        return text;
    }

    Policy policy() {
        return policy;
    }

    PolicyOutline root() {
        return root;
    }

    /** {@code normal}, then the named ones. */
    List<String> windows() {
        return windows;
    }

    /** The section that holds the target's values; empty if there is none. */
    Optional<PolicyOutline.Member> entry(Target target) {
        return Optional.ofNullable(
                target.kind() == Target.Kind.ENDPOINT
                        ? endpoints.get(shape(target.name()))
                        : sources.get(target.name()));
    }

    /** The value in force for the target in a window. */
    public Duration value(Target target, String window) {
        return value(target.kind(), entry(target).map(PolicyOutline.Member::value), window);
    }

    /** What every endpoint and source of the file has in every window, and what others have, by a name for the cell. */
    Map<String, Duration> values() {
        Map<String, Duration> values = new LinkedHashMap<>();
        for (Target.Kind kind : Target.Kind.values()) {
            for (String window : windows) {
                values.put(cell(kind, "", window), value(kind, Optional.empty(), window));
                entries(kind)
                        .forEach(entry -> values.put(
                                cell(kind, entry.key().text(), window),
                                value(kind, Optional.of(entry.value()), window)));
            }
        }
        return values;
    }

    static String cell(Target.Kind kind, String entry, String window) {
        return kind + " " + entry + ", " + window;
    }

    /** Entry and window, entry and normal, defaults and window, defaults and normal. */
    private Duration value(Target.Kind kind, Optional<PolicyOutline> entry, String window) {
        Duration own =
                entry.map(e -> first(written(e, window), written(e, NORMAL))).orElse(null);
        Duration general = first(inDefaults(kind, window), inDefaults(kind, NORMAL));
        Duration value = first(own, general);
        return value == null ? DEFAULT : value;
    }

    /** What the defaults' section itself says; null: nothing. */
    @Nullable
    Duration inDefaults(Target.Kind kind, String window) {
        Optional<PolicyOutline> defaults = section(kind == Target.Kind.ENDPOINT ? "deadlines" : "sources", "defaults");
        return defaults.map(section -> written(section, window)).orElse(null);
    }

    /** What the section itself says for a window; null: nothing. */
    static @Nullable Duration written(PolicyOutline section, String window) {
        return section.at(window).map(value -> Durations.parse(value.text())).orElse(null);
    }

    Optional<PolicyOutline> section(String... path) {
        Optional<PolicyOutline> section = Optional.of(root);
        for (String key : path) {
            section = section.flatMap(s -> s.at(key));
        }
        return section;
    }

    private List<PolicyOutline.Member> members(String... path) {
        return section(path).map(PolicyOutline::members).orElse(List.of());
    }

    private List<PolicyOutline.Member> entries(Target.Kind kind) {
        return kind == Target.Kind.ENDPOINT
                ? members("deadlines", "endpoints")
                : members("sources").stream()
                        .filter(member -> !member.key().text().equals("defaults"))
                        .toList();
    }

    private static String host(PolicyOutline.Member source) {
        return source.value().at("host").map(PolicyOutline::text).orElse("");
    }

    /** Two names of one shape are one endpoint. */
    static String shape(String endpoint) {
        int space = endpoint.indexOf(' ');
        String path = VARIABLE.matcher(endpoint.substring(space + 1).strip()).replaceAll("{}");
        return endpoint.substring(0, Math.max(space, 0)) + " "
                + (path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    private static @Nullable Duration first(@Nullable Duration one, @Nullable Duration other) {
        return one == null ? other : one;
    }
}
