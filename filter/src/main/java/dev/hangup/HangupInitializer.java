package dev.hangup;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the filter first into any web application that has the jar (Servlet 6.0, section 8.2.4): for all paths and dispatcher
 * types, with async supported. Not if the context parameter {@code hangup.enabled} is {@code false}, and not if the filter is
 * declared already.
 */
public final class HangupInitializer implements ServletContainerInitializer {
    private static final String NAME = "hangup";

    /** @throws IllegalArgumentException if {@code hangup.enabled} is neither true nor false; the application does not start then */
    @Override
    public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context) {
        if (!enabled(context) || declared(context)) {
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

    private static boolean declared(ServletContext context) {
        return context.getFilterRegistrations().values().stream()
                .anyMatch(filter -> HangupFilter.class.getName().equals(filter.getClassName()));
    }
}
