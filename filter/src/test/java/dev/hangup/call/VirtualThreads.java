package dev.hangup.call;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Virtual threads, where the JVM has them: found by reflection, because the tests are compiled for Java 17. */
final class VirtualThreads {
    private static final @Nullable Method START = find();

    static final boolean SUPPORTED = START != null;

    private VirtualThreads() {}

    static Thread start(Runnable task) {
        if (START == null) {
            throw new IllegalStateException("no virtual threads on Java " + Runtime.version());
        }
        try {
            return (Thread) START.invoke(null, task);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Method find() {
        if (Runtime.version().feature() < 21) {
            return null; // 19 and 20 have it as a preview only
        }
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
