package dev.hangup.jersey;

import dev.hangup.call.CallerAware;
import dev.hangup.policy.Route;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.glassfish.jersey.server.ExtendedUriInfo;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.glassfish.jersey.uri.UriTemplate;
import org.jspecify.annotations.Nullable;

/** The endpoint of each request that Jersey has matched. Everything is looked up once, and then found again by the method that answers. */
final class Endpoints {
    /** Resources that locators make anew for each request, with templates of their own, shall not fill the memory. */
    private static final int MOST = 10_000;

    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final Deployment deployment;
    /** Reached without locators: as many as the application has. */
    private final Map<Reached, Route> direct = new ConcurrentHashMap<>();
    /** Through locators, by the endpoint's name. */
    private final Map<String, Through> through = new ConcurrentHashMap<>();

    private final Map<Handler, Optional<CallerAware>> annotations = new ConcurrentHashMap<>();

    /** What was said of malformed annotations. */
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    private record Reached(String base, ResourceMethod method) {}

    private record Through(
            Route route, @Nullable CallerAware annotation, ResourceMethod method, List<ResourceMethod> locators) {
        /** Jersey keeps the methods of the classes that it has seen behind locators. */
        boolean is(ResourceMethod other, List<ResourceMethod> way) {
            return method == other && locators.equals(way);
        }
    }

    private record Handler(Class<?> type, Method method, List<Handler> locators) {
        static Handler of(ResourceMethod method, List<ResourceMethod> locators) {
            return new Handler(
                    method.getInvocable().getHandler().getHandlerClass(),
                    method.getInvocable().getHandlingMethod(),
                    locators.stream().map(locator -> of(locator, List.of())).toList());
        }
    }

    Endpoints(Deployment deployment) {
        this.deployment = deployment;
    }

    /** @param method the one that was matched */
    Route of(ExtendedUriInfo uri, ResourceMethod method) {
        String base = deployment.base(uri.getBaseUri().getPath());
        List<ResourceMethod> locators = uri.getMatchedResourceLocators();
        if (!locators.isEmpty()) {
            return through(name(base, uri, method), method, locators);
        }
        Reached key = new Reached(base, method);
        Route known = direct.get(key);
        return known == null
                ? direct.computeIfAbsent(
                        key, fresh -> deployment.routes().route(name(base, uri, method), annotation(method, List.of())))
                : known;
    }

    private Route through(String name, ResourceMethod method, List<ResourceMethod> locators) {
        Through known = through.get(name);
        if (known != null && known.is(method, locators)) {
            return known.route();
        }
        CallerAware annotation = annotations.size() < MOST
                ? annotations
                        .computeIfAbsent(
                                Handler.of(method, locators),
                                fresh -> Optional.ofNullable(annotation(method, locators)))
                        .orElse(null)
                : annotation(method, locators);
        Route route = known == null || known.annotation() != annotation
                ? deployment.routes().route(name, annotation)
                : known.route();
        if (through.size() < MOST) {
            through.put(name, new Through(route, annotation, method, List.copyOf(locators)));
        }
        return route;
    }

    /** One that nobody could check at the start and that is malformed is none: the request is not to blame. */
    private @Nullable CallerAware annotation(ResourceMethod method, List<ResourceMethod> locators) {
        Annotations.Found found = Annotations.of(method, locators);
        String malformed = found == null ? null : found.malformed();
        if (malformed != null && said.size() < MOST && said.add(malformed)) {
            LOG.log(Level.ERROR, malformed + "; until that is mended it is as if it were not there");
        }
        return found == null || malformed != null ? null : found.annotation();
    }

    /** A HEAD that a GET method answers is called by that. */
    private static String name(String base, ExtendedUriInfo uri, ResourceMethod method) {
        List<String> parts = new ArrayList<>();
        parts.add(base);
        List<UriTemplate> templates = uri.getMatchedTemplates();
        for (int i = templates.size() - 1; i >= 0; i--) {
            parts.add(templates.get(i).getTemplate());
        }
        return method.getHttpMethod() + " " + PathTemplate.of(parts);
    }
}
