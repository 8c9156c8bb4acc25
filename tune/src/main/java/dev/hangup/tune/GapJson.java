package dev.hangup.tune;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A gap's figures as JSON: all that the table has. */
final class GapJson {

    private GapJson() {}

    static Map<String, @Nullable Object> of(
            GapArithmetic gap, int attempts, GapJudgement judgement, List<GapOption> options) {
        Map<String, @Nullable Object> json = figures(gap);
        json.put("seconds_until_exhausted", gap.secondsUntilExhausted());
        json.put("waited_for_killed_seconds", gap.waitedForKilledSeconds());
        json.put(
                "attempts",
                gap.attempts(attempts).stream().map(GapJson::attempt).toList());
        json.put("added_by_retries", gap.addedByRetries(attempts));
        json.put("server_alone", judgement.server());
        json.put("client_alone", judgement.client());
        json.put("options", options.stream().map(GapJson::option).toList());
        json.put("null_control", figures(gap.withNothingSlow()));
        json.put("verdict", gap.verdict().key());
        return json;
    }

    private static Map<String, @Nullable Object> figures(GapArithmetic gap) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("slow_per_second", gap.slowPerSecond());
        json.put("ownerless_seconds", gap.ownerlessSeconds());
        json.put("unowned_in_flight", gap.unownedInFlight());
        json.put("pool", gap.pool());
        json.put("pool_share", gap.poolShare());
        json.put("pool_available", gap.poolAvailable());
        json.put("servable_per_second", gap.servablePerSecond());
        json.put("offered_per_second", gap.rps());
        json.put("pool_exhausted", gap.exhausted());
        return json;
    }

    private static Map<String, Object> attempt(GapArithmetic.Attempt attempt) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("attempt", attempt.attempt());
        json.put("added", attempt.added());
        json.put("cumulative", attempt.cumulative());
        return json;
    }

    private static Map<String, @Nullable Object> option(GapOption option) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("option", option.key());
        json.put("remedy", option.remedy());
        json.put("cost", option.cost());
        json.put("server_seconds", GapArithmetic.seconds(option.then().server()));
        json.put("client_seconds", GapArithmetic.seconds(option.then().client()));
        json.put("ownerless_seconds", option.then().ownerlessSeconds());
        json.put("unowned_in_flight", option.then().unownedInFlight());
        json.put("pool_share", option.then().poolShare());
        json.put("verdict", option.then().verdict().key());
        return json;
    }
}
