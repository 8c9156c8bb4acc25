package dev.hangup.policy;

import dev.hangup.call.CallerAware;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a framework knows of an application's endpoints and the policy file does not: which of them are annotated, told at start so that
 * the filter guards their requests in time, and which one a request has come to, told when it was routed. One for each application,
 * in the ServletContext attribute {@link #ATTRIBUTE}, found by {@link #of}. Any thread.
 *
 * <p>What the file says of a request goes before its annotation, key by key, and its entry's name before the route's.
 */
public final class Routes {
    /** The name of the ServletContext attribute. */
    public static final String ATTRIBUTE = "dev.hangup.policy.Routes";

    /** In the place of a servlet's name: whichever it is. */
    private static final String ANY = "";

    /** By servlet and {@link Template#shape()}; guarded by this. */
    private final Map<String, Annotated> annotated = new LinkedHashMap<>();

    /** Annotated, and beyond what a template can say, by name; guarded by this. */
    private final Map<String, CallerAware> beyond = new HashMap<>();

    private volatile boolean empty = true;
    /** Of one policy and of what was registered by then; null: to be made. Written under this lock. */
    private volatile @Nullable Known known;
    /** Whoever wants to hear of the rules that are made here. */
    private volatile Consumer<Rule> follower = rule -> {};
    /** Whoever says what is annotated. */
    private volatile Audience audience = Audience.NOBODY;
    /** The one that is followed, as told by {@link #follow}; guarded by this. */
    private @Nullable Policy inForce;

    private record Annotated(String servlet, Template template, CallerAware annotation) {}

    private record Audience(Runnable registered, Consumer<String> late) {
        static final Audience NOBODY = new Audience(() -> {}, endpoint -> {});
    }

    /** Rules of annotated templates where the file has no entry, and over each entry that a request of theirs was seen to match. */
    private record Known(
            Policy policy,
            Map<String, EndpointIndex> byServlet,
            Map<Rule, Annotated> annotated,
            Map<Rule, Map<Rule, Rule>> over) {

        @Nullable
        Rule find(String servlet, String method, String path) {
            EndpointIndex index = byServlet.get(servlet);
            return index == null ? null : index.find(method, path);
        }
    }

    /**
     * An application's, left there by whoever asks first, the filter or a framework. While the application starts: one thread starts
     * all of its filters and servlets.
     *
     * @param attributes the ServletContext's, by their names
     * @param leave sets one of them
     */
    public static Routes of(Function<String, @Nullable Object> attributes, BiConsumer<String, Object> leave) {
        if (attributes.apply(ATTRIBUTE) instanceof Routes known) {
            return known;
        }
        Routes first = new Routes();
        leave.accept(ATTRIBUTE, first);
        return first;
    }

    /**
     * Says before the first request that the code of an endpoint is annotated. The same endpoint again replaces what was said of it.
     * It may match requests that the framework then routes elsewhere: {@link Route#reached} puts that right.
     *
     * @param endpoint such as {@code GET /reports/{id}}, below the context path; a variable is one segment of a path, or a part of one,
     *     and what it must look like (<code>{id: [0-9]+}</code>) is left out
     * @return false if a policy's entry cannot say this endpoint ({@code GET /files/**}): it is known only after routing
     * @throws IllegalArgumentException if the annotation's deadline is none; the message says what was expected
     */
    public boolean register(String endpoint, CallerAware annotation) {
        return register(ANY, endpoint, annotation);
    }

    /**
     * The same of the requests that one servlet gets: those of its neighbours, whose mappings may be more specific, are not the
     * framework's to route, and nobody would put them right.
     *
     * @param servlet its name, as it is registered
     */
    public boolean register(String servlet, String endpoint, CallerAware annotation) {
        Entry.INHERITED.over(annotation); // or its deadline is refused
        String plain = plain(endpoint);
        Template template = template(plain);
        if (template == null) {
            synchronized (this) {
                beyond.put(plain, annotation);
            }
            return false;
        }
        Annotated own = new Annotated(servlet, template, annotation);
        synchronized (this) {
            annotated.put(servlet + " " + template.shape(), own);
            known = null;
            empty = false;
            if (inForce != null) {
                follower.accept(rule(inForce, own));
            }
        }
        return true;
    }

    /** A framework has registered all that it knows of an application. Once for each, on the thread that starts it. */
    public void registered() {
        audience.registered().run();
    }

    /** The endpoints that were registered and cancel under this policy, sorted; those that no entry can say are among them. */
    public synchronized List<String> cancelling(Policy policy) {
        SortedSet<String> names = new TreeSet<>();
        for (Annotated each : annotated.values()) {
            addIfCancels(names, rule(policy, each));
        }
        beyond.forEach((name, annotation) -> addIfCancels(names, policy.routed(name, name, "", annotation)));
        return List.copyOf(names);
    }

    private static void addIfCancels(SortedSet<String> names, Rule rule) {
        if (rule.treatment().cancels()) {
            names.add(rule.endpoint());
        }
    }

    /** Null: of a grammar of the framework's own. */
    static @Nullable Template template(String endpoint) {
        try {
            return Template.parse(endpoint);
        } catch (MalformedValue unlike) {
            return null;
        }
    }

    /** Whether nothing is registered. */
    public boolean isEmpty() {
        return empty;
    }

    /**
     * The rule of a request that is not routed yet: the most specific template that was registered and matches decides; null if none
     * does.
     *
     * @param found what {@link Policy#ruleFor} says of the request
     * @param servlet the name of the one that gets it; null if that is not known
     */
    public @Nullable Rule find(Policy policy, Rule found, String method, String path, @Nullable String servlet) {
        Known now = known(policy);
        Rule own = servlet == null ? null : now.find(servlet, method, path);
        own = own == null ? now.find(ANY, method, path) : own;
        if (own == null || !found.named()) {
            return own;
        }
        Map<Rule, Rule> merged = now.over().computeIfAbsent(own, fresh -> new ConcurrentHashMap<>());
        Rule rule = merged.get(found);
        if (rule == null) {
            CallerAware annotation =
                    Objects.requireNonNull(now.annotated().get(own)).annotation();
            rule = merged.computeIfAbsent(found, entry -> policy.annotated(entry, entry.endpoint(), annotation));
            follower.accept(rule); // by two who race: the same twice
        }
        return rule;
    }

    /** An endpoint of the framework's, written as in {@link #register} or otherwise, to be kept beside what the framework knows of it. */
    public Route route(String endpoint, @Nullable CallerAware annotation) {
        return new Route(this, plain(endpoint), annotation);
    }

    /** Without what variables must look like, in which there may be further brackets: <code>{year:\\d{4}}</code> is {@code {year}}. */
    static String plain(String endpoint) {
        StringBuilder plain = new StringBuilder(endpoint.length());
        int depth = 0;
        boolean name = false;
        for (int i = 0; i < endpoint.length(); i++) {
            char c = endpoint.charAt(i);
            depth += c == '{' ? 1 : 0;
            name = depth == 0 || (depth == 1 && (c == '{' || (name && c != ':')));
            if (name ? depth == 0 || !Character.isWhitespace(c) : depth == 1 && c == '}') {
                plain.append(c);
            }
            depth = c == '}' ? Math.max(0, depth - 1) : depth;
        }
        return plain.toString();
    }

    /**
     * From now on somebody is told of each rule that an annotation makes: of those of the registered ones by this call, which is to be
     * repeated when a new policy comes. In place of an earlier one, on any thread; it must not ask here in turn.
     */
    public synchronized void follow(Policy policy, Consumer<Rule> follower) {
        this.follower = follower;
        inForce = policy;
        annotated.values().forEach(each -> follower.accept(rule(policy, each)));
    }

    /**
     * From now on somebody is told that a framework has {@link #registered()} its endpoints, and of annotated ones that cancel and were
     * not among them, when a request has come there. In place of an earlier one, on any thread, without a lock of ours.
     */
    public void tell(Runnable registered, Consumer<String> late) {
        audience = new Audience(registered, late);
    }

    /** Nobody is told any more. */
    public synchronized void unfollow() {
        audience = Audience.NOBODY;
        follower = rule -> {};
        inForce = null;
    }

    void made(Rule rule) {
        follower.accept(rule);
    }

    /** A request has come to an annotated endpoint; said of those alone that nobody has registered. */
    void reached(Rule rule, String endpoint, String shape) {
        if (rule.treatment().cancels() && !isRegistered(endpoint, shape)) {
            audience.late().accept(rule.endpoint());
        }
    }

    private synchronized boolean isRegistered(String endpoint, String shape) {
        return beyond.containsKey(endpoint)
                || annotated.values().stream()
                        .anyMatch(each -> each.template().shape().equals(shape));
    }

    /** Race: a new policy, and requests that began under the old one. Each has the rules of its own; they may be made twice. */
    private Known known(Policy policy) {
        Known now = known;
        if (now == null || now.policy() != policy) {
            synchronized (this) {
                now = of(policy, annotated.values());
                known = now;
            }
        }
        return now;
    }

    private static Known of(Policy policy, Collection<Annotated> all) {
        Map<String, Map<Template, Rule>> own = new HashMap<>();
        Map<Rule, Annotated> annotated = new LinkedHashMap<>();
        for (Annotated each : all) {
            Rule rule = rule(policy, each);
            own.computeIfAbsent(each.servlet(), first -> new LinkedHashMap<>()).put(each.template(), rule);
            annotated.put(rule, each);
        }
        Map<String, EndpointIndex> byServlet = new HashMap<>();
        own.forEach((servlet, rules) -> byServlet.put(servlet, new EndpointIndex(rules, Pace.atOnce())));
        return new Known(policy, Map.copyOf(byServlet), Map.copyOf(annotated), new ConcurrentHashMap<>());
    }

    private static Rule rule(Policy policy, Annotated each) {
        Template template = each.template();
        return policy.routed(template.name(), template.name(), template.shape(), each.annotation());
    }
}
