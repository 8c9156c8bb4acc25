package dev.hangup;

import dev.hangup.policy.PolicyException;
import dev.hangup.policy.PolicyFile;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds an engine from what a deployment says: the policy file at {@code hangup.config} (init-param, else context-param, else
 * system property), else {@code hangup.yaml} on the class path, else the defaults; on top of it the context-params that begin with
 * {@code hangup.}, on top of them the filter's init-params.
 */
final class FilterParameters {
    private static final String PREFIX = "hangup.";
    private static final String CONFIG = "hangup.config";
    private static final String RESOURCE = "hangup.yaml";

    private FilterParameters() {}

    /** An engine that has still to be announced. */
    static Hangup build(FilterConfig config) throws ServletException {
        ServletContext context = config.getServletContext();
        Map<String, String> own =
                parameters(Collections.list(config.getInitParameterNames()), config::getInitParameter);
        Map<String, String> shared = parameters(
                Collections.list(context.getInitParameterNames()).stream()
                        .filter(name -> name.startsWith(PREFIX))
                        .toList(),
                context::getInitParameter);
        Place file = Place.first(
                new Place("init-param", own.get(CONFIG)),
                new Place("init-param", own.get("config")),
                new Place("context-param", shared.get(CONFIG)),
                new Place("system property", System.getProperty(CONFIG)));
        try {
            PolicyFile policy = (file.path == null
                            ? fromClassPath(context)
                            : PolicyFile.read(Path.of(file.path.strip())))
                    .withOverrides(shared, "context-param")
                    .withOverrides(own, "init-param");
            return Hangup.builder().policyFile(policy).unannounced();
        } catch (PolicyException | java.nio.file.InvalidPathException e) {
            throw new ServletException("Hangup is not started" + file.described() + ": " + e.getMessage(), e);
        }
    }

    /** Where the deployment says which file it is; the path is null where it does not. */
    private record Place(String name, @Nullable String path) {
        static Place first(Place... places) {
            return Stream.of(places)
                    .filter(place -> place.path != null)
                    .findFirst()
                    .orElse(places[0]);
        }

        String described() {
            return path == null ? "" : " (" + name + " " + CONFIG + " = \"" + path + "\")";
        }
    }

    private static PolicyFile fromClassPath(ServletContext context) throws ServletException {
        // An embedded context may have no class loader of its own.
        for (ClassLoader loader : Arrays.asList(
                context.getClassLoader(),
                Thread.currentThread().getContextClassLoader(),
                FilterParameters.class.getClassLoader())) {
            try (InputStream in = loader == null ? null : loader.getResourceAsStream(RESOURCE)) {
                if (in != null) {
                    return PolicyFile.read("classpath:" + RESOURCE, in);
                }
            } catch (IOException e) {
                throw new ServletException(
                        "Hangup is not started: " + RESOURCE + " on the class path cannot be read", e);
            }
        }
        return PolicyFile.none();
    }

    /** An engine that was given has its policy already: parameters beside it would have no effect, and are refused. */
    static void refuse(FilterConfig config) throws ServletException {
        List<String> names = Collections.list(config.getInitParameterNames());
        if (!names.isEmpty()) {
            throw new ServletException("Hangup is not started: init-params " + names
                    + " have no effect on a filter whose engine was given; expected none, or a policy for that engine");
        }
    }

    private static Map<String, String> parameters(Iterable<String> names, UnaryOperator<String> values) {
        Map<String, String> parameters = new LinkedHashMap<>();
        names.forEach(name -> parameters.put(name, values.apply(name)));
        return parameters;
    }
}
