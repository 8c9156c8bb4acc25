package dev.hangup.policy;

import dev.hangup.call.CallerAware;
import dev.hangup.call.Treatment;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    private final Mode mode;
    private final HalfClose halfClose;
    private final ZoneId zone;
    private final Windows windows;
    private final Settings settings;
    private final CallerDeadline callerDeadline;
    private final SourceIndex sources;
    private final List<Rule> rules;
    /** In the same order. */
    private final List<Named> named;
    /** By the endpoint's name. */
    private final Map<String, Named> entries;
    /** The names of the entries, by {@link Template#shape()}. */
    private final Map<String, String> names;

    private final Map<String, Duration> defaults;
    private final EndpointIndex endpoints;
    private final Rule unmatchedReads;
    private final Rule unmatchedWrites;
    private final Instant loadedAt = Instant.now();

    /** What the policy says of an endpoint, and what comes of it. */
    record Named(Entry entry, Rule rule) {
        boolean cancels() {
            return rule.treatment().cancels();
        }
    }

    Policy(PolicyBuilder builder) {
        mode = builder.mode;
        halfClose = builder.halfClose;
        zone = builder.zone;
        settings = builder.settings;
        callerDeadline = builder.callerDeadline;
        windows = new Windows(builder.windows, zone, builder.clock);
        sources = new SourceIndex(builder.sources.values().stream()
                .map(source -> new Source(source.name(), source.host(), deadlines(source.timeouts(), builder.timeouts)))
                .toList());
        defaults = Map.copyOf(builder.deadlines);
        Map<String, Named> own = new HashMap<>();
        Map<Template, Rule> ruled = new LinkedHashMap<>();
        List<Named> ordered = new ArrayList<>(builder.endpoints.size());
        Map<String, String> shapes = new HashMap<>();
        for (Map.Entry<Template, Entry> said : builder.endpoints.values()) {
            builder.pace.step();
            Template template = said.getKey();
            Entry entry = said.getValue();
            Rule rule = rule(template.name(), entry.mode() == null ? mode : entry.mode(), entry, true);
            Named endpoint = new Named(entry, rule);
            own.put(template.name(), endpoint);
            ordered.add(endpoint);
            shapes.put(template.shape(), template.name());
            ruled.put(template, rule);
        }
        entries = Map.copyOf(own);
        names = Map.copyOf(shapes);
        named = List.copyOf(ordered);
        rules = List.copyOf(ruled.values());
        endpoints = new EndpointIndex(ruled, builder.pace);
        unmatchedReads = rule(Rule.UNMATCHED, mode, Entry.INHERITED, false);
        unmatchedWrites =
                mode == Mode.CANCEL ? rule(Rule.UNMATCHED, Mode.OBSERVE, Entry.INHERITED, false) : unmatchedReads;
    }

    private Rule rule(String endpoint, Mode own, Entry entry, boolean named) {
        HalfClose closing = entry.halfClose() == null ? halfClose : entry.halfClose();
        Treatment treatment = new Treatment(
                own == Mode.CANCEL,
                own == Mode.CANCEL && entry.interrupts(),
                closing == HalfClose.GONE,
                named,
                entry.covers() == Covers.FIRST_BYTE,
                entry.escalateAfter() == null ? settings.escalateAfter() : entry.escalateAfter(),
                entry.stuckAfter() == null ? settings.stuckAfter() : entry.stuckAfter());
        return new Rule(endpoint, own, deadlines(entry.deadlines(), defaults), treatment);
    }

    private Deadlines deadlines(Map<String, Duration> own, Map<String, Duration> defaults) {
        return new Deadlines(windows, own, defaults);
    }

    /** A builder that begins with the defaults. */
    public static PolicyBuilder builder() {
        return new PolicyBuilder();
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
        return rule == null ? byDefault(method) : rule;
    }

    /** The rule for a request of this method whose endpoint no entry names. */
    public Rule byDefault(String method) {
        return method.equals("GET") || method.equals("HEAD") ? unmatchedReads : unmatchedWrites;
    }

    /**
     * The rule for a request whose code carries an annotation, which goes after the entry's keys, each by itself, and before the
     * defaults. Ask once for each endpoint.
     *
     * @param found what {@link #ruleFor} says of the request
     * @param endpoint what it is called if no entry names it
     * @throws IllegalArgumentException if the annotation's deadline is none
     */
    public Rule annotated(Rule found, String endpoint, CallerAware annotation) {
        return annotated(entries.get(found.endpoint()), found.named() ? found.endpoint() : endpoint, annotation);
    }

    private Rule annotated(@Nullable Named named, String endpoint, CallerAware annotation) {
        Entry entry = (named == null ? Entry.INHERITED : named.entry()).over(annotation);
        return rule(endpoint, entry.mode() == null ? mode : entry.mode(), entry, true);
    }

    /**
     * The rule of a call whose route is known by now: the entry's that the request matched, else the entry's of the route's shape,
     * else the defaults', under the route's name; an annotation as in {@link #annotated}.
     *
     * @param soFar what the call is called
     * @param shape the route's, or what no entry has
     */
    Rule routed(String soFar, String endpoint, String shape, @Nullable CallerAware annotation) {
        String name = entries.containsKey(soFar) ? soFar : names.getOrDefault(shape, endpoint);
        Named named = entries.get(name);
        if (annotation != null) {
            return annotated(named, name, annotation);
        }
        String method = endpoint.substring(0, Math.max(0, endpoint.indexOf(' ')));
        return named == null ? byDefault(method).under(endpoint) : named.rule();
    }

    /** The rule of a call that has come to no endpoint of its framework's: the entry's that it is called by, else the defaults'. */
    Rule unrouted(String soFar, String method) {
        Named named = entries.get(soFar);
        return named == null ? byDefault(method) : named.rule();
    }

    /** The endpoint of this name; null if the policy does not name it. */
    @Nullable
    Named named(String endpoint) {
        return entries.get(endpoint);
    }

    /** All of them, in the order of the file. */
    List<Named> named() {
        return named;
    }

    /** The engine's numbers. */
    public Settings settings() {
        return settings;
    }

    /** What callers may declare, and who is believed. */
    public CallerDeadline callerDeadline() {
        return callerDeadline;
    }

    /** Whether anything that a request says of itself can change its deadline. */
    public boolean listens() {
        return !callerDeadline.headers().isEmpty() || settings.requestStartHeader() != null;
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

    /** The name of the window in force at this moment, {@code normal} outside all others. */
    public String window() {
        return windows.names().get(windows.current());
    }

    /**
     * How long to wait now for a source: the timeout of the window in force, or what is left of the current call's deadline if
     * that is less; see {@link Source#timeout()}. On the thread that works for the call.
     *
     * @throws IllegalArgumentException if the policy has no such source; the message names those that it has
     */
    public Duration timeoutFor(String source) {
        return sources.named(source).timeout();
    }

    /**
     * The source of that name.
     *
     * @throws IllegalArgumentException if the policy has no such source; the message names those that it has
     */
    public Source source(String name) {
        return sources.named(name);
    }

    /**
     * The source that a request goes to: one at this host and port, else one at this host.
     *
     * @param port negative: none is named
     */
    public Optional<Source> sourceAt(String host, int port) {
        return Optional.ofNullable(sources.at(host, port));
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
        NameList names = new NameList();
        for (Rule rule : rules) {
            if (rule.treatment().cancels()) {
                names.add(rule.endpoint());
            }
        }
        StringBuilder text = new StringBuilder("mode ").append(mode.key());
        text.append(", half-close ").append(halfClose.key());
        text.append(", deadline ").append(Durations.format(unmatchedReads.deadline()));
        text.append(", cancels ").append(mode == Mode.CANCEL ? "GET and HEAD by default" : "");
        text.append(mode == Mode.CANCEL && !names.isEmpty() ? ", " : "").append(names);
        return text.append(mode != Mode.CANCEL && names.isEmpty() ? "nothing" : "")
                .toString();
    }

    @Override
    public String toString() {
        return "Policy(" + describe() + ")";
    }
}
