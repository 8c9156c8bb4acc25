package dev.hangup.jersey;

import dev.hangup.call.CallerAware;
import dev.hangup.policy.Routes;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
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

    /** An annotation, what carries it, and a method that it is meant for. */
    record Found(CallerAware annotation, AnnotatedElement at, Invocable method) {
        /** What is wrong with it, where it stands, and what was expected; null if it is well-formed. */
        @Nullable
        String malformed() {
            try {
                new Routes().register("GET /", annotation);
                return null;
            } catch (IllegalArgumentException wrong) {
                return "@CallerAware on " + where() + ": deadline = " + wrong.getMessage();
            }
        }

        private String where() {
            if (at instanceof Method own) {
                return own.getDeclaringClass().getName() + "." + own.getName();
            }
            String type = at instanceof Class<?> known ? known.getName() : at.toString();
            return type + ", for "
                    + method.getHandler().getHandlerClass().getName() + "."
                    + method.getHandlingMethod().getName();
        }
    }

    /** @param locators that led to the method, the last one first */
    static @Nullable Found of(ResourceMethod method, List<ResourceMethod> locators) {
        Found found = first(method.getInvocable());
        for (ResourceMethod locator : locators) {
            if (found == null) {
                found = first(locator.getInvocable());
            }
        }
        return found;
    }

    private static @Nullable Found first(Invocable method) {
        List<Found> all = all(method);
        return all.isEmpty() ? null : all.get(0);
    }

    /** All that could hold for a method or locator if the nearer ones were not there, the nearest first. */
    static List<Found> all(Invocable method) {
        List<Found> all = new ArrayList<>(1);
        add(all, method.getHandlingMethod(), method);
        if (!method.getDefinitionMethod().equals(method.getHandlingMethod())) {
            add(all, method.getDefinitionMethod(), method);
        }
        addTypes(all, method.getHandler().getHandlerClass(), method);
        return all;
    }

    /** A superclass goes before an interface, as there. */
    private static void addTypes(List<Found> all, @Nullable Class<?> type, Invocable method) {
        if (type == null || type == Object.class) {
            return;
        }
        CallerAware own = type.getDeclaredAnnotation(CallerAware.class);
        if (own != null) {
            all.add(new Found(own, type, method));
        }
        addTypes(all, type.getSuperclass(), method);
        for (Class<?> face : type.getInterfaces()) {
            addTypes(all, face, method);
        }
    }

    private static void add(List<Found> all, AnnotatedElement element, Invocable method) {
        CallerAware annotation = element.getAnnotation(CallerAware.class);
        if (annotation != null) {
            all.add(new Found(annotation, element, method));
        }
    }
}
