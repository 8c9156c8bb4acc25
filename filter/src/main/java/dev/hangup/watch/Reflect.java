package dev.hangup.watch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Objects;

/**
 * Ways into a container's classes, resolved from the request's own class because a web application may not see them by name. A
 * member that is not there is named in the exception, so that an upgrade that moved it is found at once.
 */
public final class Reflect {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private Reflect() {}

    /** The nearest class of this name among {@code start} and its superclasses, or null. */
    public static @org.jspecify.annotations.Nullable Class<?> superclass(Class<?> start, String name) {
        for (Class<?> c = start; c != null; c = c.getSuperclass()) {
            if (c.getName().equals(name)) {
                return c;
            }
        }
        return null;
    }

    /** A getter for a field declared in {@code owner}, private or not. */
    public static MethodHandle getter(Class<?> owner, String field) throws ReflectiveOperationException {
        try {
            Field found = owner.getDeclaredField(field);
            found.setAccessible(true);
            return LOOKUP.unreflectGetter(found);
        } catch (NoSuchFieldException e) {
            throw new NoSuchFieldException("no field " + owner.getName() + "." + field);
        }
    }

    /** A method declared in {@code owner}, private or not. */
    public static MethodHandle method(Class<?> owner, String name, Class<?>... parameters)
            throws ReflectiveOperationException {
        try {
            Method found = owner.getDeclaredMethod(name, parameters);
            found.setAccessible(true);
            return LOOKUP.unreflect(found);
        } catch (NoSuchMethodException e) {
            throw new NoSuchMethodException("no method " + owner.getName() + "." + name);
        }
    }

    /** A public method of an exported type. */
    public static MethodHandle publicMethod(Class<?> owner, String name, Class<?>... parameters)
            throws ReflectiveOperationException {
        try {
            return MethodHandles.publicLookup().unreflect(owner.getMethod(name, parameters));
        } catch (NoSuchMethodException e) {
            throw new NoSuchMethodException("no public method " + owner.getName() + "." + name);
        }
    }

    /** A constant of a public enum. */
    public static Object constant(Class<?> owner, String name) throws ReflectiveOperationException {
        try {
            return Objects.requireNonNull(owner.getField(name).get(null));
        } catch (NoSuchFieldException e) {
            throw new NoSuchFieldException("no constant " + owner.getName() + "." + name);
        }
    }

    /** What a container's method threw, as it threw it, or wrapped if it is checked. */
    public static RuntimeException rethrow(Throwable thrown) {
        if (thrown instanceof RuntimeException e) {
            return e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
        return new IllegalStateException(thrown);
    }
}
