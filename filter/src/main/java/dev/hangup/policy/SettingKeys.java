package dev.hangup.policy;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The keys of {@link Settings}, the same in a file's section and among a filter's parameters. */
final class SettingKeys {

    private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3})?%");
    private static final String SHARE = "off, or a percentage such as 20%";
    private static final Pattern STATUS = Pattern.compile("[45][0-9]{2}");

    private final PolicyBuilder builder;

    SettingKeys(PolicyBuilder builder) {
        this.builder = builder;
    }

    Keys addTo(Keys keys) {
        return keys.on("grace", setting(Durations::parseFromZero, Settings::withGrace))
                .on("escalate-after", setting(Durations::parse, Settings::withEscalateAfter))
                .on("stuck-after", setting(Durations::parse, Settings::withStuckAfter))
                .on("drain", setting(Durations::parseFromZero, Settings::withDrain))
                .on("keep-alive", setting(KeepAlive::parse, (all, k) -> all.withKeepAlive(k.orElse(null))))
                .on("max-cancel-share", setting(SettingKeys::share, Settings::withMaxCancelShare))
                .on("retry-after", setting(SettingKeys::retryAfter, (all, d) -> all.withRetryAfter(d.orElse(null))))
                .on("deadline-status", setting(SettingKeys::status, Settings::withDeadlineStatus))
                .on(
                        "request-start-header",
                        setting(SettingKeys::header, (all, name) -> all.withRequestStartHeader(name.orElse(null))));
    }

    private <T> Consumer<Field> setting(Function<String, T> parser, BiFunction<Settings, T, Settings> change) {
        return field -> field.value(parser, value -> builder.settings(change.apply(builder.settings(), value)));
    }

    private static Optional<String> header(String text) {
        if (text.equals("off")) {
            return Optional.empty();
        }
        if (!FieldText.isToken(text)) {
            throw new MalformedValue(
                    text,
                    text.isEmpty() ? "no value" : "no name of a header",
                    "off, or a header such as x-request-start");
        }
        return Optional.of(text.toLowerCase(Locale.ROOT));
    }

    private static Optional<Duration> retryAfter(String text) {
        if (text.equals("off")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Durations.parse(text));
        } catch (MalformedValue malformed) {
            throw new MalformedValue(text, malformed.problem(), "off, or " + malformed.expected());
        }
    }

    private static double share(String text) {
        if (text.equals("off")) {
            return Settings.NO_LIMIT;
        }
        double percent =
                PERCENT.matcher(text).matches() ? Double.parseDouble(text.substring(0, text.length() - 1)) : -1;
        if (percent < 0) {
            throw new MalformedValue(text, text.isEmpty() ? "no value" : "not a percentage", SHARE);
        }
        if (percent == 0 || percent > 100) {
            throw new MalformedValue(text, "not above 0% and at most 100%", SHARE);
        }
        return percent / 100;
    }

    private static int status(String text) {
        if (!STATUS.matcher(text).matches()) {
            throw new MalformedValue(text, "not an error's status", "a number from 400 to 599");
        }
        return Integer.parseInt(text);
    }
}
