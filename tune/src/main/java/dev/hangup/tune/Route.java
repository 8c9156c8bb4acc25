package dev.hangup.tune;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What calls are counted together: an endpoint or a source. Each is its own key. */
final class Route {

    /** That of calls that no rule names. */
    static final Route NONE = counted("", () -> null);

    private final String name;
    private final Supplier<@Nullable Duration> inForce;
    private final @Nullable String leftOut;

    private Route(String name, Supplier<@Nullable Duration> inForce, @Nullable String leftOut) {
        this.name = name;
        this.inForce = inForce;
        this.leftOut = leftOut;
    }

    /** @param inForce asks for the value in force in the window that is meant; null inside if none is known */
    static Route counted(String name, Supplier<@Nullable Duration> inForce) {
        return new Route(name, inForce, null);
    }

    static Route leftOut(String name, String why) {
        return new Route(name, () -> null, why);
    }

    /** As the policy has it. */
    String name() {
        return name;
    }

    @Nullable
    Duration inForce() {
        return inForce.get();
    }

    /** Why its calls are not counted; null if they are. */
    @Nullable
    String leftOut() {
        return leftOut;
    }
}
