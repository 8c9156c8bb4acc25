package dev.hangup;

import dev.hangup.call.Log;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * Classes that a worker may need first when it has just been interrupted. Loading a class from a jar within a jar, as Spring
 * Boot's loader does, reads a file channel, which an interrupt closes for everybody and for good: so they are loaded before.
 */
final class Preloaded {
    private static final List<String> NAMES = List.of(
            "Answer",
            "BodyLength",
            "BrokenPipe",
            "ContainerIo",
            "ContainerIo$Io",
            "CutBody",
            "Ending",
            "Farewell",
            "GuardedAsyncContext",
            "GuardedAsyncContext$Relay",
            "GuardedInputStream",
            "GuardedInputStream$Characters",
            "GuardedOutputStream",
            "GuardedRequest$Action",
            "GuardedWriter",
            "GuardedWriter$Guarded",
            "HeadBefore",
            "Passage",
            "Progress",
            "Redirect",
            "Tenancy",
            "Turnstile",
            "Unwrapped",
            "call.CallAnswer",
            "call.CallCancelledException",
            "call.Carried",
            "call.CarryingExecutorService",
            "call.Completer",
            "call.Consequence",
            "call.Consequence$AbortedException",
            "call.Ladder",
            "call.Log",
            "call.Participants",
            "call.Participants$Hook",
            "call.Problem");

    private Preloaded() {}

    static void load() {
        for (String name : NAMES) {
            try {
                Class.forName("dev.hangup." + name, true, Preloaded.class.getClassLoader());
            } catch (ClassNotFoundException | LinkageError e) {
                Log.log(Level.WARNING, "a class of Hangup's cannot be loaded", e);
            }
        }
    }
}
