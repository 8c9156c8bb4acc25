package dev.hangup.tune;

import dev.hangup.tune.apply.Advice;
import dev.hangup.tune.apply.Target;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A recommendation as {@code apply} takes it. */
final class ApplyAdvice {

    private static final Pattern ENDPOINT = Pattern.compile("[A-Z][A-Z0-9_-]* +/.*");

    private ApplyAdvice() {}

    static Advice of(Recommendation it) {
        boolean endpoint =
                ENDPOINT.matcher(it.endpoint()).matches() || it.endpoint().equals("UNMATCHED");
        return new Advice(
                new Target(endpoint ? Target.Kind.ENDPOINT : Target.Kind.SOURCE, it.endpoint()),
                it.window(),
                it.recommended(),
                it.samples(),
                number(it.estimatedSuccessRate()),
                number(it.more().get("target")),
                new Advice.Runs(it.stability().runs(), it.stability().meetingTarget()),
                it.issue() == null ? "" : it.issue().key().replace('_', ' ').toLowerCase(Locale.ROOT),
                new Advice.Why(
                        text(it.more().get("reason")),
                        text(it.more().get("basis")),
                        it.current(),
                        span(it.more().get("suffices"))),
                it.decision() == Decision.KEEP);
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    private static @Nullable Duration span(@Nullable Object value) {
        double seconds = number(value);
        return seconds >= 0 && seconds <= 1e9 ? Duration.ofNanos(Math.round(seconds * 1e9)) : null;
    }

    private static double number(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }
}
