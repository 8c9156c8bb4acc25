package dev.hangup.jersey;

import dev.hangup.call.CallerAware;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import org.glassfish.jersey.server.model.Invocable;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link CallerAware} stands that holds for a resource method: on the method itself, on the one whose annotations of Jakarta
 * REST it has inherited (section 3.6), on its class, a superclass, an interface, or, for lack of all these, on the locators that led
 * to it and their classes, the nearest first.
 */
final class Annotations {
    private Annotations() {}

    /** An annotation and what carries it. */
    record Found(CallerAware annotation, AnnotatedElement at) {}

    /** @param locators that led to the method, the last one first */
    static @Nullable Found of(ResourceMethod method, List<ResourceMethod> locators) {
        Found found = of(method.getInvocable());
        for (ResourceMethod locator : locators) {
            if (found == null) {
                found = of(locator.getInvocable());
            }
        }
        return found;
    }

    private static @Nullable Found of(Invocable invocable) {
        Found found = at(invocable.getHandlingMethod());
        if (found == null) {
            found = at(invocable.getDefinitionMethod());
        }
        return found == null ? onType(invocable.getHandler().getHandlerClass()) : found;
    }

    /** A superclass goes before an interface, as there. */
    private static @Nullable Found onType(@Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return null;
        }
        CallerAware own = type.getDeclaredAnnotation(CallerAware.class);
        if (own != null) {
            return new Found(own, type);
        }
        Found found = onType(type.getSuperclass());
        for (Class<?> face : type.getInterfaces()) {
            if (found == null) {
                found = onType(face);
            }
        }
        return found;
    }

    private static @Nullable Found at(AnnotatedElement element) {
        CallerAware annotation = element.getAnnotation(CallerAware.class);
        return annotation == null ? null : new Found(annotation, element);
    }
}
