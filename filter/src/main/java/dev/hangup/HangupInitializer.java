package dev.hangup;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the filter first into any web application that has the jar (Servlet 6.0, section 8.2.4): for all paths and dispatcher
 * types, with async supported. Not if the context parameter {@code hangup.enabled} is {@code false}. A filter that
 * is declared already is left as it is, but for async.
 */
public final class HangupInitializer implements ServletContainerInitializer {
    private static final String NAME = "hangup";

    /** @throws IllegalArgumentException if {@code hangup.enabled} is neither true nor false; the application does not start then */
    @Override
    public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context) {
        if (!enabled(context)) {
            System.getLogger("dev.hangup")
                    .log(Level.INFO, "Hangup is off in {0}: hangup.enabled is false", context.getContextPath());
            return;
        }
        List<? extends FilterRegistration> declared = declared(context);
        if (!declared.isEmpty()) {
            declared.forEach(HangupInitializer::supportAsync);
            return;
        }
        FilterRegistration.Dynamic filter = context.addFilter(NAME, new HangupFilter());
        if (filter != null) { // null: a filter of this name is declared
            filter.setAsyncSupported(true);
            filter.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
        }
    }

    private static boolean enabled(ServletContext context) {
        String value = context.getInitParameter("hangup.enabled");
        if (value == null || value.strip().equals("true")) {
            return true;
        }
        if (value.strip().equals("false")) {
            return false;
        }
        throw new IllegalArgumentException(
                "context-param \"hangup.enabled\" is \"" + value + "\"; expected true or false");
    }

    private static List<? extends FilterRegistration> declared(ServletContext context) {
        return context.getFilterRegistrations().values().stream()
                .filter(filter -> HangupFilter.class.getName().equals(filter.getClassName()))
                .toList();
    }

    /** A filter that does not support it forbids it to every servlet behind it, and a declaration is silent about it by default. */
    private static void supportAsync(FilterRegistration declared) {
        if (declared instanceof FilterRegistration.Dynamic filter) {
            filter.setAsyncSupported(true);
        }
    }
}
