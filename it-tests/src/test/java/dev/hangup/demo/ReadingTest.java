package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReadingTest {

    private static final String SCRAPE = """
            # TYPE hangup_pool_unowned_seconds_total counter
            hangup_pool_unowned_seconds_total{pool="jdbc:reports"} 12.5
            hangup_pool_unowned_seconds_total{pool="workers"} 99.0
            # TYPE hangup_unowned_work_seconds_total counter
            hangup_unowned_work_seconds_total{endpoint="GET /orders/*"} 0.25
            hangup_unowned_work_seconds_total{endpoint="GET /reports/{id}"} 1.0E2
            hangup_unowned_seconds{endpoint="GET /reports/{id}"} 7.0
            """;

    @Test
    void secondsAreThoseOfAllEndpointsAndOfOnePool() {
        assertThat(Reading.of(SCRAPE, "jdbc:reports")).isEqualTo(new Reading(100.25, 12.5));
    }

    @Test
    void beforeTheFirstDepartureThereIsNothing() {
        assertThat(Reading.of("", "jdbc:reports")).isEqualTo(Reading.NOTHING);
    }

    @Test
    void aDifferenceIsWhatCameSince() {
        assertThat(new Reading(10, 4).minus(new Reading(3, 1))).isEqualTo(new Reading(7, 3));
    }
}
