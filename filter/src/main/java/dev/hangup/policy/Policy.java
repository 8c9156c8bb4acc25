package dev.hangup.policy;

import dev.hangup.call.Treatment;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which deadline and treatment each endpoint has. Immutable: a changed file makes a new policy, and a call keeps the rule
 * that it began with. Any thread may ask.
 *
 * <p>Every call has a deadline. A request's rule is decided by its method and path alone, the most specific entry first in
 * the order of JAX-RS (more literal characters, then more variables). A HEAD request that no HEAD entry matches has the rule
 * of the GET entry, under that entry's name. A request that no entry matches is {@link Rule#UNMATCHED} whatever its method:
 * endpoints come from the policy, never from callers.
 */
public final class Policy {

    static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);

    private static final int MOST_DESCRIBED = 20;

    private final Mode mode;
    private final HalfClose halfClose;
    private final ZoneId zone;
    private final Settings settings;
    private final List<Rule> rules;
    private final EndpointIndex endpoints;
    private final Rule unmatchedReads;
    private final Rule unmatchedWrites;
    private final Instant loadedAt = Instant.now();

    private Policy(Builder builder) {
        mode = builder.mode;
        halfClose = builder.halfClose;
        zone = builder.zone;
        settings = builder.settings;
        Map<Template, Rule> named = new LinkedHashMap<>();
        for (Map.Entry<Template, Entry> endpoint : builder.endpoints.values()) {
            Template template = endpoint.getKey();
            Entry entry = endpoint.getValue();
            Mode own = entry.mode() == null ? mode : entry.mode();
            named.put(template, builder.rule(template.name(), own, entry, true));
        }
        rules = List.copyOf(named.values());
        endpoints = new EndpointIndex(named);
        unmatchedReads = builder.rule(Rule.UNMATCHED, mode, Entry.INHERITED, false);
        unmatchedWrites = mode == Mode.CANCEL
                ? builder.rule(Rule.UNMATCHED, Mode.OBSERVE, Entry.INHERITED, false)
                : unmatchedReads;
    }

    /** A builder that begins with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The policy where nothing is configured: every call is observed and has a deadline of 30 s. */
    public static Policy defaults() {
        return builder().build();
    }

    /**
     * The rule for a request. Allocates nothing and takes no lock.
     *
     * @param method the request's method as it was sent; anything at all
     * @param path the path below the context path, decoded, without path parameters and query; an empty one is the root's
     */
    public Rule ruleFor(String method, String path) {
        Rule rule = endpoints.find(method, path);
        if (rule != null) {
            return rule;
        }
        return method.equals("GET") || method.equals("HEAD") ? unmatchedReads : unmatchedWrites;
    }

    /** The engine's numbers. */
    public Settings settings() {
        return settings;
    }

    /** What a half-close means where an endpoint's entry does not say; {@link Rule#treatment} has the result. */
    public HalfClose halfClose() {
        return halfClose;
    }

    /** The mode of endpoints without one of their own; under {@link Mode#CANCEL} only their GET and HEAD. */
    public Mode mode() {
        return mode;
    }

    /** The time zone in which windows are read. */
    public ZoneId zone() {
        return zone;
    }

    /** The rules of the endpoints that have an entry, in the order of the file; never changed. */
    public Collection<Rule> rules() {
        return rules;
    }

    /** When this policy was made. */
    public Instant loadedAt() {
        return loadedAt;
    }

    /**
     * The policy in one line, for the log: mode, half-close, deadline, and which endpoints cancel, the first 20 by name.
     * Reads as {@code mode observe, half-close gone, deadline 30s, cancels GET /reports/{id}}.
     */
    public String describe() {
        List<Rule> cancelling =
                rules.stream().filter(rule -> rule.treatment().cancels()).toList();
        String names =
                cancelling.stream().limit(MOST_DESCRIBED).map(Rule::endpoint).collect(Collectors.joining(", "));
        StringBuilder text = new StringBuilder("mode ").append(mode.key());
        text.append(", half-close ").append(halfClose.key());
        text.append(", deadline ").append(Durations.format(unmatchedReads.deadline()));
        text.append(", cancels ").append(mode == Mode.CANCEL ? "GET and HEAD by default" : "");
        text.append(mode == Mode.CANCEL && !names.isEmpty() ? ", " : "").append(names);
        if (cancelling.size() > MOST_DESCRIBED) {
            text.append(" and ").append(cancelling.size() - MOST_DESCRIBED).append(" more");
        }
        return text.append(mode != Mode.CANCEL && names.isEmpty() ? "nothing" : "")
                .toString();
    }

    @Override
    public String toString() {
        return "Policy(" + describe() + ")";
    }

    /** Makes a {@link Policy}; not for use by several threads at once. */
    public static final class Builder {

        private Mode mode = Mode.OBSERVE;
        private HalfClose halfClose = HalfClose.GONE;
        private ZoneId zone = ZoneId.of("UTC");
        private Settings settings = Settings.DEFAULTS;
        private final Map<String, Duration> deadlines = new LinkedHashMap<>();
        private final Map<String, Map.Entry<Template, Entry>> endpoints = new LinkedHashMap<>();

        private Builder() {}

        /** The mode of endpoints without one of their own. Default: {@link Mode#OBSERVE}. */
        public Builder mode(Mode mode) {
            this.mode = mode;
            return this;
        }

        /** What a half-close means. Default: {@link HalfClose#GONE}. */
        public Builder halfClose(HalfClose halfClose) {
            this.halfClose = halfClose;
            return this;
        }

        /** The time zone in which windows are read. Default: UTC. */
        public Builder zone(ZoneId zone) {
            this.zone = zone;
            return this;
        }

        /** The engine's numbers. Default: {@link Settings#DEFAULTS}. */
        public Builder settings(Settings settings) {
            this.settings = settings;
            return this;
        }

        /**
         * The deadline of endpoints without one of their own. Default: 30 s.
         *
         * @throws IllegalArgumentException if it is not above zero
         */
        public Builder deadline(Duration deadline) {
            Settings.aboveZero("deadline", deadline);
            deadlines.put(Windows.NORMAL_NAME, deadline);
            return this;
        }

        /**
         * Gives an endpoint an entry of its own, in place of an earlier one for the same requests.
         *
         * @param name method and path, such as {@code GET /reports/{id}}; a variable stands for one segment, or a part of one
         * @throws IllegalArgumentException if the name is malformed
         */
        public Builder endpoint(String name, Entry entry) {
            return endpoint(Template.parse(name), entry);
        }

        /** The policy; the builder may be used further. */
        public Policy build() {
            return new Policy(this);
        }

        Builder endpoint(Template template, Entry entry) {
            endpoints.put(template.shape(), Map.entry(template, entry));
            return this;
        }

        Settings settings() {
            return settings;
        }

        private Rule rule(String endpoint, Mode own, Entry entry, boolean named) {
            HalfClose closing = entry.halfClose() == null ? halfClose : entry.halfClose();
            Treatment treatment = new Treatment(
                    own == Mode.CANCEL,
                    own == Mode.CANCEL && entry.interrupts(),
                    closing == HalfClose.GONE,
                    named,
                    entry.escalateAfter() == null ? settings.escalateAfter() : entry.escalateAfter(),
                    entry.stuckAfter() == null ? settings.stuckAfter() : entry.stuckAfter());
            return new Rule(endpoint, own, new Deadlines(Windows.NONE, entry.deadlines(), deadlines), treatment);
        }
    }
}
