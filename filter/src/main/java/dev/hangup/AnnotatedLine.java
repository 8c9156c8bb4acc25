package dev.hangup;

import dev.hangup.call.Log;
import dev.hangup.policy.NameList;
import dev.hangup.policy.Policy;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says which annotated endpoints cancel, which the policy's own line cannot know: all of them in one INFO when they are known, and in one
 * WARNING when a new policy has changed that. Any thread; a worker, too, where a framework starts with its first request.
 */
final class AnnotatedLine {
    private final String what;
    private final Supplier<Policy> inForce;
    private final Function<Policy, List<String>> cancelling;
    private final AtomicBoolean late = new AtomicBoolean();

    // Guarded by this.
    private List<String> said = List.of();
    private @Nullable Policy last;

    /**
     * @param what is annotated, in the plural
     * @param inForce asked anew each time, so that of two threads the last to speak has the last policy
     * @param cancelling the names under a policy, in an order that stays
     */
    AnnotatedLine(String what, Supplier<Policy> inForce, Function<Policy, List<String>> cancelling) {
        this.what = what;
        this.inForce = inForce;
        this.cancelling = cancelling;
    }

    /** What is to be said at the start, in somebody's line; nothing where none cancels. */
    synchronized String first() {
        last = inForce.get();
        said = cancelling.apply(last);
        return said.isEmpty() ? "" : line();
    }

    /** Says it, unless it is what was said before. */
    synchronized void say() {
        Policy now = inForce.get();
        Level level = last == null || last == now ? Level.INFO : Level.WARNING;
        last = now;
        List<String> names = cancelling.apply(now);
        if (!names.equals(said)) {
            said = names;
            Log.log(level, line(), null);
        }
    }

    private String line() {
        return "annotated " + what + " that cancel: " + (said.isEmpty() ? "none any more" : NameList.of(said));
    }

    /** One that only a request has shown: said of the first, because there may be many. */
    void late(String endpoint) {
        if (late.compareAndSet(false, true)) {
            Log.log(
                    Level.INFO,
                    "annotated " + what + " that cancel, and are known only when a request has come there: " + endpoint
                            + "; the metric hangup_cancelling names the others",
                    null);
        }
    }
}
