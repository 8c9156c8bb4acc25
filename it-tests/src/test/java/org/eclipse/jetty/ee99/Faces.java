package org.eclipse.jetty.ee99;

/** The way to {@link Changed}, which is not public so that a proxy's class gets its package. */
public final class Faces {

    private Faces() {}

    public static Class<?> changed() {
        return Changed.class;
    }
}
