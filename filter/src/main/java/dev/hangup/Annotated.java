package dev.hangup;

import dev.hangup.call.CallScope;
import dev.hangup.call.CallerAware;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Rule;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servlets whose classes carry {@link CallerAware}, known by their registrations before the first request, so that what they answer
 * is guarded in time. The policy's entry for the same request goes before the annotation, key by key.
 */
final class Annotated {
    /** Those of EndpointNames that an application's code has its own methods for; a HEAD is as its GET. */
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

    private final Map<String, CallerAware> byServlet;
    /** Its patterns, by the servlet's name. */
    private final Map<String, List<String>> mappings;
    /** Of one policy; replaced with it. */
    private volatile Rules rules = new Rules(null, new ConcurrentHashMap<>());

    private record Rules(@Nullable Policy policy, Map<String, Map<String, Rule>> byServlet) {}

    private Annotated(Map<String, CallerAware> byServlet, Map<String, List<String>> mappings) {
        this.byServlet = byServlet;
        this.mappings = mappings;
    }

    static Annotated none() {
        return new Annotated(Map.of(), Map.of());
    }

    /** @throws ServletException if an annotation is malformed; it names all that are */
    static Annotated of(ServletContext context, Policy policy) throws ServletException {
        Map<String, CallerAware> found = new HashMap<>();
        Map<String, List<String>> mappings = new HashMap<>();
        StringBuilder wrong = new StringBuilder();
        @Nullable Map<String, ? extends ServletRegistration> registered = context.getServletRegistrations();
        if (registered == null) {
            return none(); // no container's
        }
        for (ServletRegistration servlet : registered.values()) {
            CallerAware annotation = annotation(context, servlet.getClassName());
            if (annotation != null) {
                found.put(servlet.getName(), annotation);
                mappings.put(servlet.getName(), List.copyOf(servlet.getMappings()));
                try {
                    policy.annotated(policy.byDefault("GET"), CallScope.UNMATCHED, annotation);
                } catch (IllegalArgumentException malformed) {
                    wrong.append("; @CallerAware on ")
                            .append(servlet.getClassName())
                            .append(": deadline = ")
                            .append(malformed.getMessage());
                }
            }
        }
        if (!wrong.isEmpty()) {
            throw new ServletException("Hangup is not started" + wrong);
        }
        return new Annotated(found, mappings);
    }

    private static @Nullable CallerAware annotation(ServletContext context, @Nullable String name) {
        // An embedded context may have no class loader of its own.
        List<ClassLoader> loaders = Stream.concat(
                        Arrays.asList(
                                context.getClassLoader(), Thread.currentThread().getContextClassLoader())
                                .stream(),
                        Stream.of(Annotated.class.getClassLoader()))
                .filter(Objects::nonNull)
                .toList();
        for (ClassLoader loader : loaders) {
            Class<?> type = name == null ? null : load(name, loader);
            if (type != null) {
                return type.getAnnotation(CallerAware.class);
            }
        }
        return null;
    }

    /** One that the container cannot load either is its own to complain of. */
    private static @Nullable Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /**
     * What cancels by these annotations, sorted: patterns, or, where the policy's entries have it otherwise for some methods, the
     * others with the pattern. Of the many paths of {@code /reports/*} an entry can only ever take a part.
     */
    List<String> cancelling(Policy policy) {
        SortedSet<String> names = new TreeSet<>();
        byServlet.forEach((servlet, annotation) -> {
            for (String pattern : mappings.getOrDefault(servlet, List.of())) {
                String shown = pattern.isEmpty() ? "/" : pattern.equals("/") ? "/*" : pattern;
                List<String> methods = METHODS.stream()
                        .filter(method -> cancels(policy, method, shown, annotation))
                        .toList();
                if (methods.size() == METHODS.size()) {
                    names.add(shown);
                } else {
                    methods.forEach(method -> names.add(method + " " + shown));
                }
            }
        });
        return List.copyOf(names);
    }

    private static boolean cancels(Policy policy, String method, String pattern, CallerAware annotation) {
        Rule found = pattern.indexOf('*') < 0 ? policy.ruleFor(method, pattern) : policy.byDefault(method);
        return policy.annotated(found, pattern, annotation).treatment().cancels();
    }

    boolean isEmpty() {
        return byServlet.isEmpty();
    }

    /** The name of the servlet that a request goes to, if its class is annotated. */
    @Nullable
    String servlet(HttpServletRequest request) {
        String name = name(request);
        return name != null && byServlet.containsKey(name) ? name : null;
    }

    /** The name of the servlet that a request goes to; null where no container says so. */
    static @Nullable String name(HttpServletRequest request) {
        @Nullable HttpServletMapping mapping = request.getHttpServletMapping();
        return mapping == null ? null : mapping.getServletName();
    }

    /**
     * The rule of a request to an annotated servlet.
     *
     * @param found what the policy says of it
     * @param endpoint what it is called
     */
    Rule rule(Policy policy, Rule found, String endpoint, String servlet, Hangup engine) {
        Rules known = rules;
        if (known.policy != policy) {
            known = new Rules(policy, new ConcurrentHashMap<>());
            rules = known; // of two who race one is used for nothing but this request
        }
        Map<String, Rule> own = known.byServlet.computeIfAbsent(servlet, fresh -> new ConcurrentHashMap<>());
        Rule rule = own.get(endpoint);
        if (rule == null) {
            CallerAware annotation = Objects.requireNonNull(byServlet.get(servlet));
            rule = own.computeIfAbsent(endpoint, fresh -> policy.annotated(found, fresh, annotation));
            if (!endpoint.equals(CallScope.UNMATCHED)) {
                engine.endpointKnown(endpoint, rule);
            }
        }
        return rule;
    }
}
