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
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servlets whose classes carry {@link CallerAware}, known by their registrations before the first request, so that what they answer
 * is guarded in time. The policy's entry for the same request goes before the annotation, key by key.
 */
final class Annotated {
    private final Map<String, CallerAware> byServlet;
    /** Of one policy; replaced with it. */
    private volatile Rules rules = new Rules(null, new ConcurrentHashMap<>());

    private record Rules(@Nullable Policy policy, Map<String, Map<String, Rule>> byServlet) {}

    private Annotated(Map<String, CallerAware> byServlet) {
        this.byServlet = byServlet;
    }

    static Annotated none() {
        return new Annotated(Map.of());
    }

    /** @throws ServletException if an annotation is malformed; it names all that are */
    static Annotated of(ServletContext context, Policy policy) throws ServletException {
        Map<String, CallerAware> found = new HashMap<>();
        StringBuilder wrong = new StringBuilder();
        @Nullable Map<String, ? extends ServletRegistration> registered = context.getServletRegistrations();
        if (registered == null) {
            return none(); // no container's
        }
        for (ServletRegistration servlet : registered.values()) {
            CallerAware annotation = annotation(context, servlet.getClassName());
            if (annotation != null) {
                found.put(servlet.getName(), annotation);
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
        return new Annotated(found);
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
