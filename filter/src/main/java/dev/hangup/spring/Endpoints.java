package dev.hangup.spring;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.context.ConfigurableWebApplicationContext;
import org.springframework.web.servlet.FrameworkServlet;

/** Endpoints' names: method, the DispatcherServlet's own path, and the handler's pattern below that. */
final class Endpoints {
    private static final String DISPATCHER = "DispatcherServlet";

    private Endpoints() {}

    /** A HEAD is served by the handler of GET; methods are folded to those that Spring knows, so that callers cannot make names. */
    static String of(HttpServletRequest request, String pattern) {
        RequestMethod method = RequestMethod.resolve(request.getMethod());
        String verb = method == null ? "OTHER" : method == RequestMethod.HEAD ? "GET" : method.name();
        @Nullable HttpServletMapping mapping = request.getHttpServletMapping();
        boolean below = mapping != null && mapping.getMappingMatch() == MappingMatch.PATH;
        return verb + " " + (below ? join(prefix(mapping.getPattern()), pattern) : join("", pattern));
    }

    static String join(String prefix, String pattern) {
        return prefix + (pattern.startsWith("/") ? pattern : "/" + pattern);
    }

    /**
     * Where handlers are: {@code /app} of a servlet at {@code /app/*}, nothing of one at {@code /}.
     *
     * @param servlet null: whichever serves the application's root
     */
    record Mount(@Nullable String servlet, String prefix) {
        static final Set<Mount> ROOT = Set.of(new Mount(null, ""));
    }

    /**
     * Where the DispatcherServlets are that serve the handlers of a context: the one that the context is for, or all of them.
     *
     * @throws UnsupportedOperationException for whom the container keeps its servlets secret (Servlet 6.0, section 4.4)
     */
    static Set<Mount> mounts(ServletContext context, ApplicationContext beans) {
        String namespace = namespace(beans);
        Set<Mount> own = new LinkedHashSet<>();
        Set<Mount> all = new LinkedHashSet<>();
        for (ServletRegistration servlet : context.getServletRegistrations().values()) {
            String type = servlet.getClassName();
            for (String mapping : servlet.getMappings()) {
                Mount mount = new Mount(servlet.getName(), prefix(mapping));
                if ((servlet.getName() + FrameworkServlet.DEFAULT_NAMESPACE_SUFFIX).equals(namespace)) {
                    own.add(mount);
                } else if (type != null && type.endsWith(DISPATCHER)) {
                    all.add(mount);
                }
            }
        }
        return !own.isEmpty() ? own : !all.isEmpty() ? all : Mount.ROOT; // a subclass of another name
    }

    /** The name that a servlet gives the context that it has for itself. */
    private static @Nullable String namespace(ApplicationContext beans) {
        try {
            return beans instanceof ConfigurableWebApplicationContext web ? web.getNamespace() : null;
        } catch (UnsupportedOperationException nameless) {
            return null;
        }
    }

    private static String prefix(String mapping) {
        return mapping.endsWith("/*") ? mapping.substring(0, mapping.length() - 2) : "";
    }
}
