package dev.hangup.tune;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyBuilder;
import dev.hangup.policy.Rule;
import dev.hangup.tune.prometheus.Unavailable;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the histograms of a fleet recommend. Endpoints are those that the fleet names, and have the policy's values. */
final class FleetFindings {

    private static final int MOST_NOTED = 20;

    private final WindowClock clock;
    private final boolean knowsValues;
    private final @Nullable Policy templates;
    private final Set<String> asked;
    private final Map<String, @Nullable Route> routes = new HashMap<>();

    /**
     * @param knowsValues whether the policy is somebody's, and not just the defaults
     * @param asked endpoints to count, and no others; all if there are none
     */
    FleetFindings(WindowClock clock, boolean knowsValues, List<String> templates, Set<String> asked) {
        this.clock = clock;
        this.knowsValues = knowsValues;
        this.asked = asked;
        PolicyBuilder builder = Policy.builder();
        templates.forEach(template -> builder.endpoint(template, Entry.INHERITED));
        this.templates = templates.isEmpty() ? null : builder.build();
    }

    /**
     * Asks for them.
     *
     * @param err where it is said how well each value is known
     */
    List<Finding> findings(Fleet fleet, Recommender recommender, Runs runs, long from, PrintWriter err) {
        List<FleetSeries> read;
        try {
            read = new FleetReading(fleet.api(), fleet.matching, clock, runs, this::route)
                    .read(from, System.currentTimeMillis());
        } catch (Unavailable unavailable) {
            throw new UnreadableInput(String.valueOf(unavailable.getMessage()), unavailable);
        }
        if (read.isEmpty()) {
            throw new NoRecommendation(fleet.url + ": no endpoint has a histogram http_server_requests_seconds"
                    + " or hangup_call_seconds in that time");
        }
        Map<Series, FleetSeries> bySeries = new LinkedHashMap<>();
        read.forEach(it -> bySeries.put(it.counted(), it));
        List<Finding> findings = new ArrayList<>();
        int noted = 0;
        for (Series series :
                bySeries.keySet().stream().sorted(Recommender.ORDER).toList()) {
            Finding finding = recommender.finding(series, runs);
            Duration value = finding.recommendation().recommended();
            if (value == null) {
                findings.add(finding);
                continue;
            }
            Map<String, Object> known =
                    Objects.requireNonNull(bySeries.get(series)).interpolation(finding, value.toMillis() / 1e3);
            findings.add(finding.with("interpolation", known));
            if (noted++ < MOST_NOTED) {
                err.println(note(finding.recommendation(), known));
            }
        }
        return findings;
    }

    private static String note(Recommendation it, Map<String, Object> known) {
        String end = known.containsKey("up_to")
                ? String.format(
                        Locale.ROOT,
                        "to %s s: from %.2f %% to %.2f %%",
                        known.get("up_to"),
                        percent(known, "rate_above"),
                        percent(known, "rate_up_to"))
                : String.format(Locale.ROOT, "without an end: at least %.2f %%", percent(known, "rate_above"));
        return it.endpoint() + ", " + it.window() + ": interpolated in a bucket from " + known.get("above") + " s "
                + end + " of the calls finish";
    }

    private static double percent(Map<String, Object> known, String key) {
        return known.get(key) instanceof Double rate ? 100 * rate : 0;
    }

    private @Nullable Route route(String endpoint) {
        return routes.computeIfAbsent(endpoint, this::find);
    }

    private @Nullable Route find(String endpoint) {
        int space = endpoint.indexOf(' ');
        if (space < 1 || endpoint.charAt(Math.min(space + 1, endpoint.length() - 1)) != '/') {
            return null;
        }
        String method = endpoint.substring(0, space);
        String path = endpoint.substring(space + 1);
        Rule template = templates == null ? null : templates.ruleFor(method, path);
        Rule rule = clock.policy().ruleFor(method, path);
        String name =
                template != null && template.named() ? template.endpoint() : rule.named() ? rule.endpoint() : endpoint;
        if (!asked.isEmpty() && !asked.contains(name)) {
            return null;
        }
        return Route.counted(name, () -> knowsValues ? rule.deadline() : null);
    }
}
