package dev.hangup.spring;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestMethod;

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

    /** Where this application's DispatcherServlets are: {@code /app} of {@code /app/*}, nothing of {@code /}. */
    static Set<String> prefixes(ServletContext context) {
        Set<String> prefixes = new LinkedHashSet<>();
        for (ServletRegistration servlet : context.getServletRegistrations().values()) {
            String type = servlet.getClassName();
            if (type != null && type.endsWith(DISPATCHER)) {
                servlet.getMappings().forEach(mapping -> prefixes.add(prefix(mapping)));
            }
        }
        if (prefixes.isEmpty()) {
            prefixes.add(""); // a subclass of another name
        }
        return prefixes;
    }

    private static String prefix(String mapping) {
        return mapping.endsWith("/*") ? mapping.substring(0, mapping.length() - 2) : "";
    }
}
