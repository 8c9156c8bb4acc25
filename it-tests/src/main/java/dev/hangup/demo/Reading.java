package dev.hangup.demo;

import java.util.List;

/**
 * What Hangup's own metrics say, as a scrape shows them.
 *
 * @param unownedSeconds {@code hangup_unowned_work_seconds_total} of all endpoints
 * @param unownedPoolSeconds {@code hangup_pool_unowned_seconds_total} of the pool of connections
 */
record Reading(double unownedSeconds, double unownedPoolSeconds) {
    static final Reading NOTHING = new Reading(0, 0);

    static Reading of(String scrape, String pool) {
        List<String> samples = scrape.lines().toList();
        return new Reading(
                sum(samples, "hangup_unowned_work_seconds_total{", ""),
                sum(samples, "hangup_pool_unowned_seconds_total{", "pool=\"" + pool + "\""));
    }

    Reading minus(Reading earlier) {
        return new Reading(unownedSeconds - earlier.unownedSeconds, unownedPoolSeconds - earlier.unownedPoolSeconds);
    }

    private static double sum(List<String> samples, String name, String label) {
        return samples.stream()
                .filter(sample -> sample.startsWith(name) && sample.contains(label))
                .mapToDouble(sample -> Double.parseDouble(sample.substring(sample.lastIndexOf(' '))))
                .sum();
    }
}
