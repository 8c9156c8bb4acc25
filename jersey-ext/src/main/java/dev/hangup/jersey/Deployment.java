package dev.hangup.jersey;

import dev.hangup.call.CallerAware;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Routes;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.jspecify.annotations.Nullable;

/** Where in its servlet application a Jersey application is deployed, and what the filter in front of it has left there. */
final class Deployment {
    /** Of Jersey's filter (its {@code ServletProperties} are not on every class path). */
    private static final String FILTER_CONTEXT_PATH = "jersey.config.servlet.filter.contextPath";

    private static final String POLICY = Policy.class.getName();

    private final ServletContext context;
    private final Routes routes;
    private final List<String> bases;
    /** Jersey's, by its name; null where it is a filter. */
    private final @Nullable String servlet;

    private Deployment(ServletContext context, InjectionManager injection) {
        ServletConfig config = injection.getInstance(ServletConfig.class);
        this.context = context;
        this.servlet = config == null ? null : config.getServletName();
        this.bases = bases(context, servlet, injection);
        this.routes = Routes.of(context::getAttribute, context::setAttribute);
    }

    /** Null where Jersey is not served by servlets. While the application starts. */
    static @Nullable Deployment of(InjectionManager injection) {
        try {
            ServletContext context = injection.getInstance(ServletContext.class);
            return context == null ? null : new Deployment(context, injection);
        } catch (NoClassDefFoundError noServlets) {
            return null;
        }
    }

    private static List<String> bases(ServletContext context, @Nullable String servlet, InjectionManager injection) {
        if (servlet == null) {
            FilterConfig filter = injection.getInstance(FilterConfig.class);
            return filter == null ? List.of("") : bases(context, filter);
        }
        ServletRegistration own = context.getServletRegistrations().get(servlet);
        List<String> found = own == null ? List.of() : bases(own.getMappings());
        return found.isEmpty() ? List.of("") : found;
    }

    /** Jersey takes the pattern that a filter is mapped to, as of a servlet, and only for want of one what it is configured with. */
    private static List<String> bases(ServletContext context, FilterConfig filter) {
        FilterRegistration own = context.getFilterRegistrations().get(filter.getFilterName());
        List<String> found = new ArrayList<>(own == null ? List.of() : bases(own.getUrlPatternMappings()));
        String path = filter.getInitParameter(FILTER_CONTEXT_PATH);
        String configured = path == null ? "" : path.startsWith("/") ? path : "/" + path;
        if (found.isEmpty() || (!configured.isEmpty() && !found.contains(configured))) {
            found.add(configured);
        }
        return List.copyOf(found);
    }

    private static List<String> bases(Collection<String> patterns) {
        return patterns.stream()
                .filter(pattern -> pattern.startsWith("/"))
                .map(pattern -> pattern.replaceFirst("/\\*?$", ""))
                .distinct()
                .toList();
    }

    Routes routes() {
        return routes;
    }

    /** Tells the filter of an annotated endpoint, of the requests that come to Jersey. */
    void register(String endpoint, CallerAware annotation) {
        if (servlet == null) {
            routes.register(endpoint, annotation);
        } else {
            routes.register(servlet, endpoint, annotation);
        }
    }

    /** The paths below the context under which the application's resources are, of the deployment's, no caller's; at least one. */
    List<String> bases() {
        return bases;
    }

    /**
     * The one of a request. Filters may have changed the request's own, by what the caller sent: it only selects.
     *
     * @param path of the request's base URI, with the context's
     */
    String base(String path) {
        if (bases.size() > 1) {
            String end = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            String context = this.context.getContextPath();
            for (String base : bases) {
                if (end.equals(context + base)) {
                    return base;
                }
            }
        }
        return bases.get(0);
    }

    /** The policy in force, null where no filter of ours is. Any thread. */
    @Nullable
    Policy policy() {
        return context.getAttribute(POLICY) instanceof Policy policy ? policy : null;
    }
}
