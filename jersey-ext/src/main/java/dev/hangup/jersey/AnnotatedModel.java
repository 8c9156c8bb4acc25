package dev.hangup.jersey;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.glassfish.jersey.server.model.Invocable;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.jspecify.annotations.Nullable;

/**
 * The annotated methods of an application, told to the filter before the first request, so that it guards theirs in time. What a
 * locator returns is known by its declared type only, and an expression spans more than a segment where the filter's templates do
 * not: such calls are annotated when they are routed, unguarded.
 */
final class AnnotatedModel {
    /** Sub-resources may lead to themselves, and to each other. */
    private static final int DEEPEST = 8;

    private static final int TWICE = 2;

    private final @Nullable Deployment deployment;
    /** By what carries it. */
    private final Map<AnnotatedElement, String> malformed = new LinkedHashMap<>();

    private AnnotatedModel(@Nullable Deployment deployment) {
        this.deployment = deployment;
    }

    /** @throws IllegalArgumentException if an annotation is malformed; it names the class and method of each that is, and what was expected */
    static void register(Iterable<Resource> resources, @Nullable Deployment deployment) {
        AnnotatedModel model = new AnnotatedModel(deployment);
        for (String base : deployment == null ? List.of("") : deployment.bases()) {
            for (Resource resource : resources) {
                model.walk(List.of(base), resource, List.of());
            }
        }
        if (!model.malformed.isEmpty()) {
            throw new IllegalArgumentException("Jersey is not started: " + String.join("; ", model.malformed.values()));
        }
        if (deployment != null) {
            deployment.routes().registered();
        }
    }

    private void walk(List<String> above, Resource resource, List<ResourceMethod> locators) {
        List<String> path = resource.getPath() == null ? above : with(above, resource.getPath());
        for (ResourceMethod method : resource.getResourceMethods()) {
            register(path, method, locators);
        }
        for (Resource child : resource.getChildResources()) {
            walk(path, child, locators);
        }
        ResourceMethod locator = resource.getResourceLocator();
        if (locator != null && locators.size() < DEEPEST) {
            check(locator);
            Class<?> type = returned(locator.getInvocable());
            Resource sub = type == null || isKnown(type, locators) ? null : Resource.from(type, true);
            if (sub != null) {
                List<ResourceMethod> further = new ArrayList<>(List.of(locator));
                further.addAll(locators);
                walkBelow(path, sub, further);
            }
        }
    }

    private static boolean isKnown(Class<?> type, List<ResourceMethod> locators) {
        return locators.stream()
                        .filter(each -> type == each.getInvocable().getHandler().getHandlerClass())
                        .count()
                >= TWICE;
    }

    /** The path of the sub-resource's class does not count. */
    private void walkBelow(List<String> path, Resource sub, List<ResourceMethod> locators) {
        sub.getResourceMethods().forEach(method -> register(path, method, locators));
        sub.getChildResources().forEach(child -> walk(path, child, locators));
        ResourceMethod locator = sub.getResourceLocator();
        if (locator != null) {
            check(locator);
        }
    }

    private void register(List<String> path, ResourceMethod method, List<ResourceMethod> locators) {
        check(method);
        Annotations.Found found = Annotations.of(method, locators);
        if (found == null || deployment == null || malformed.containsKey(found.at())) {
            return;
        }
        // Or else it is annotated when it is routed.
        deployment.register(method.getHttpMethod() + " " + PathTemplate.of(path), found.annotation());
    }

    /** Those, too, that a nearer one hides: they hold for whoever takes that away. */
    private void check(ResourceMethod method) {
        for (Annotations.Found found : Annotations.all(method.getInvocable())) {
            String wrong = found.malformed();
            if (wrong != null) {
                malformed.putIfAbsent(found.at(), wrong);
            }
        }
    }

    /** The declared type of what a locator returns: of an instance, or of those of a class. */
    private static @Nullable Class<?> returned(Invocable locator) {
        Class<?> raw = locator.getRawResponseType();
        if (raw == Class.class) {
            raw = locator.getResponseType() instanceof ParameterizedType of
                    ? bound(of.getActualTypeArguments()[0])
                    : null;
        }
        return raw == Object.class || raw == Resource.class ? null : raw;
    }

    /** What {@code ? extends Reports} and the like are at least. */
    private static @Nullable Class<?> bound(Type type) {
        return type instanceof Class<?> literal
                ? literal
                : type instanceof WildcardType wildcard
                        ? bound(wildcard.getUpperBounds()[0])
                        : type instanceof TypeVariable<?> variable ? bound(variable.getBounds()[0]) : null;
    }

    private static List<String> with(List<String> above, String path) {
        List<String> parts = new ArrayList<>(above);
        parts.add(path);
        return parts;
    }
}
