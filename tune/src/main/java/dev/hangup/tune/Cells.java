package dev.hangup.tune;

/** What was counted of one route in one window and one run. */
final class Cells {

    final Histogram successes = new Histogram();
    final Histogram departures = new Histogram();
    final Histogram errors = new Histogram();

    void add(Cells other) {
        successes.add(other.successes);
        departures.add(other.departures);
        errors.add(other.errors);
    }

    long samples() {
        return successes.total() + departures.total();
    }

    long size() {
        return successes.size() + departures.size() + errors.size();
    }
}
