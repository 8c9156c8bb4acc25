package dev.hangup.tune;

import dev.hangup.policy.Durations;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way out of a gap.
 *
 * @param key as JSON has it
 * @param remedy what is done, in words
 * @param cost what it costs, in words
 * @param then the arithmetic once it is done
 */
record GapOption(String key, String remedy, String cost, GapArithmetic then) {

    /**
     * All three.
     *
     * @param slowest how long the slowest legitimate answer takes; null if that is not known
     */
    static List<GapOption> of(GapArithmetic now, @Nullable Duration slowest) {
        Duration longer = max(now.server(), now.client());
        Duration shorter = now.server().compareTo(now.client()) < 0 ? now.server() : now.client();
        Duration work = slowest == null ? now.work() : slowest;
        String killed = work == null
                ? "kills work that takes longer than " + text(shorter)
                : work.compareTo(shorter) > 0 ? "kills answers that take " + text(work) : "none";
        return List.of(
                new GapOption(
                        "raise_client",
                        "raise the client's timeout to " + text(longer),
                        "callers wait up to " + text(longer) + ", and their own callers with them",
                        now.with(now.server(), longer, now.cancels())),
                new GapOption(
                        "lower_server",
                        "lower the server's deadline to " + text(shorter),
                        killed,
                        now.with(shorter, now.client(), now.cancels())),
                new GapOption(
                        "cancel",
                        "cancel when the connection closes",
                        "none",
                        now.with(now.server(), now.client(), true)));
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private static String text(Duration span) {
        return Durations.format(span);
    }
}
