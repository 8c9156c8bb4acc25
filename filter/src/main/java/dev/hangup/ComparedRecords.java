package dev.hangup;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequest;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * What the JDK remembers of the records that were compared: the type that its own handles were last adapted to, and with it the class
 * loader of an application that is gone, until records of somebody else's are compared for the first time; since JDK 19 softly, which
 * is until memory is scarce.
 */
final class ComparedRecords {
    private ComparedRecords() {}

    /** Has it remember a class of the container's instead, which stays anyway. Any thread; never throws. */
    static void forget() {
        try {
            Class<?> whole = ServletRequest.class;
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle part =
                    lookup.findVirtual(whole, "getServletContext", MethodType.methodType(ServletContext.class));
            MethodType equality = MethodType.methodType(boolean.class, whole, Object.class);
            MethodType hash = MethodType.methodType(int.class, whole);
            ObjectMethods.bootstrap(lookup, "equals", equality, whole, "part", part);
            ObjectMethods.bootstrap(lookup, "hashCode", hash, whole, "part", part);
        } catch (Throwable e) { // which it declares
            System.getLogger("dev.hangup").log(Level.DEBUG, "the JDK's memory of records stays as it is", e);
        }
    }
}
