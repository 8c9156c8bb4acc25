package dev.hangup.tune;

import dev.hangup.policy.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Each number of a pair by itself: neither is wrong, unless the slowest legitimate answer is known to take longer. */
record GapJudgement(String server, String client) {

    static GapJudgement of(Duration server, Duration client, @Nullable Duration slowest) {
        if (slowest == null) {
            return new GapJudgement("nothing says that it is wrong", "nothing says that it is wrong");
        }
        String takes = "the slowest legitimate answer takes " + Durations.format(slowest);
        return new GapJudgement(
                takes + (server.compareTo(slowest) < 0 ? ": it is killed" : ": it is let through"),
                takes + (client.compareTo(slowest) < 0 ? ": nobody waits for it" : ": callers wait for it"));
    }
}
