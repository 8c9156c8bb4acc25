package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which window is in force when, in a file and in code. */
final class WindowsTest {

    private static final String YAML = """
            zone: ZONE
            deadlines:
              defaults: { normal: 30s, spike_00: 45s }
              endpoints:
                "GET /a": { normal: 10s, nights: 60s }
            windows:
              spike_00: { minutes: 0-7, days: mon-fri }
              spike_30: { minutes: [30-37, 39] }
              nights: { hours: 22-5, days: sat-mon }
            """;

    private final AtomicLong millis = new AtomicLong();

    private Policy policy(String zone) {
        return PolicyFile.parse("hangup.yaml", YAML.replace("ZONE", zone))
                .policy(() -> Instant.ofEpochMilli(millis.get()));
    }

    /** What the file says, once more and in other words. */
    private static String expected(ZonedDateTime local) {
        boolean weekend = local.getDayOfWeek().getValue() > 5;
        if (!weekend && local.getMinute() <= 7) {
            return "spike_00";
        }
        if (local.getMinute() >= 30 && local.getMinute() <= 39 && local.getMinute() != 38) {
            return "spike_30";
        }
        boolean night = local.getHour() < 6 || local.getHour() > 21;
        return night && (weekend || local.getDayOfWeek() == DayOfWeek.MONDAY) ? "nights" : "normal";
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Paris", "Australia/Lord_Howe", "Asia/Kathmandu"})
    void aLeapYearMinuteByMinute(String zone) {
        Policy policy = policy(zone);
        Instant begin = ZonedDateTime.of(2028, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC).toInstant();
        int minutes = Year.of(2028).length() * 24 * 60;
        for (int i = 0; i < minutes; i++) {
            Instant instant = begin.plusSeconds(60L * i);
            millis.set(instant.toEpochMilli());
            String expected = expected(instant.atZone(ZoneId.of(zone)));
            if (!policy.window().equals(expected)) {
                assertThat(policy.window()).as("%s in %s", instant, zone).isEqualTo(expected);
            }
        }
        assertThat(minutes).isEqualTo(527_040);
    }

    @Test
    void minuteSevenAndMinuteEightHaveDifferentDeadlines() {
        Policy policy = policy("UTC");
        Rule rule = policy.ruleFor("GET", "/other");
        at("2028-03-01T10:07:59.999");
        assertThat(rule.deadline()).isEqualTo(Duration.ofSeconds(45));
        at("2028-03-01T10:08:00.000");
        assertThat(rule.deadline()).isEqualTo(Duration.ofSeconds(30));
        at("2028-03-01T10:07:59.999"); // a clock that was set back
        assertThat(rule.deadline()).isEqualTo(Duration.ofSeconds(45));
    }

    @Test
    void anEntryGoesBeforeTheDefaultsInEachWindow() {
        Policy policy = policy("UTC");
        Rule rule = policy.ruleFor("GET", "/a");
        at("2028-03-01T10:05:00");
        assertThat(policy.window()).isEqualTo("spike_00");
        assertThat(rule.deadline()).as("entry and normal").isEqualTo(Duration.ofSeconds(10));
        at("2028-03-05T23:10:00");
        assertThat(policy.window()).isEqualTo("nights");
        assertThat(rule.deadline()).isEqualTo(Duration.ofMinutes(1));
    }

    /** 2028-10-29 03:00 CEST is 02:00 CET once more; 2028-03-26 has no 02:00. */
    @Test
    void anHourThatTheClocksRepeatIsInItsWindowTwiceAndOneTheySkipIsNot() {
        Policy policy = Policy.builder()
                .zone(ZoneId.of("Europe/Paris"))
                .clock(() -> Instant.ofEpochMilli(millis.get()))
                .window("two", Window.EVER.hours(2, 2))
                .build();
        assertThat(minutesIn(policy, "two", "2028-10-29T00:00", 4 * 60)).isEqualTo(120);
        assertThat(minutesIn(policy, "two", "2028-03-26T00:00", 4 * 60)).isZero();
        assertThat(minutesIn(policy, "two", "2028-03-27T00:00", 4 * 60)).isEqualTo(60);
    }

    private int minutesIn(Policy policy, String window, String begin, int minutes) {
        int found = 0;
        Instant first = LocalDateTime.parse(begin).toInstant(ZoneOffset.UTC);
        for (int i = 0; i < minutes; i++) {
            millis.set(first.plusSeconds(60L * i).toEpochMilli());
            found += policy.window().equals(window) ? 1 : 0;
        }
        return found;
    }

    @Test
    void aClockBeforeTheEpochAndAZoneWithSecondsAreTimesAsAnyOther() {
        Policy policy = Policy.builder()
                .zone(ZoneOffset.ofHoursMinutesSeconds(0, 0, 30))
                .clock(() -> Instant.ofEpochMilli(millis.get()))
                .window("first", Window.EVER.minutes(0, 0))
                .build();
        at("1969-12-31T22:59:29.999");
        assertThat(policy.window()).isEqualTo("normal");
        at("1969-12-31T22:59:30.000");
        assertThat(policy.window()).isEqualTo("first");
        at("1969-12-31T23:00:30.000");
        assertThat(policy.window()).isEqualTo("normal");
    }

    @Test
    void whatIsNoWindowIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Policy.builder().window("all", Window.EVER))
                .withMessage("window \"all\" is all time; expected minutes, hours or days, and at most 1000 windows");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Window.EVER.minutes(0, 60))
                .withMessage("0-60 is not within 0-59");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Policy.builder()
                        .endpoint("GET /a", Entry.INHERITED.in("noon", Duration.ofSeconds(1)))
                        .build())
                .withMessage("GET /a: there is no window \"noon\"; expected normal or one of []");
    }

    private void at(String local) {
        millis.set(LocalDateTime.parse(local).toInstant(ZoneOffset.UTC).toEpochMilli());
    }
}
