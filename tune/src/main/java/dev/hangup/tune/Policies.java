package dev.hangup.tune;

import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyException;
import dev.hangup.policy.PolicyFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The policy that logs are read by: a file's or none, with what the command line puts on top. */
final class Policies {

    private Policies() {}

    /** @throws UnreadableInput if the policy is refused, with every error's file and line */
    static WindowClock clock(@Nullable Path file, @Nullable String zone, List<String> windows) {
        PolicyFile policy = file == null ? PolicyFile.none() : PolicyFile.read(file);
        if (!windows.isEmpty()) {
            StringBuilder document = new StringBuilder("windows:\n");
            for (String window : windows) {
                int equals = window.indexOf('=');
                if (equals < 1 || window.indexOf('\n') >= 0) {
                    throw new IllegalArgumentException(
                            "--window " + window + ": expected a name and times, such as \"mornings={ hours: 7-9 }\"");
                }
                document.append("  ").append(window, 0, equals).append(": ");
                document.append(window.substring(equals + 1)).append('\n');
            }
            policy = policy.withOverrides(Map.of("policy", document.toString()), "--window");
        }
        if (zone != null) {
            policy = policy.withOverrides(Map.of("zone", zone), "--zone");
        }
        try {
            return new WindowClock(policy);
        } catch (PolicyException refused) {
            throw new UnreadableInput(String.valueOf(refused.getMessage()), refused);
        }
    }

    /** @param sources names, each with the host that it belongs to; one alone is that of all lines */
    static Router sources(Policy policy, boolean knowsValues, List<String> sources) {
        Map<String, String> byHost = new HashMap<>();
        String only = null;
        for (String source : sources) {
            int equals = source.indexOf('=');
            if (equals < 0 && sources.size() > 1) {
                throw new IllegalArgumentException(
                        "--source " + source + ": of several, each needs its host: NAME=HOST");
            }
            only = equals < 0 ? source : only;
            if (equals >= 0) {
                byHost.put(source.substring(equals + 1).toLowerCase(Locale.ROOT), source.substring(0, equals));
            }
        }
        return new SourceRouter(policy, knowsValues, only, byHost);
    }
}
