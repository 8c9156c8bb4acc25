package dev.hangup.demo;

import java.time.Duration;
import java.util.List;

/**
 * Which phases there are and how long each lasts, in units of the callers' patience, so that it means the same at every scale.
 *
 * @param start of the null control, until the server is awake
 * @param control the measured window of the null control
 * @param ramp of the other phases, until nothing but the load matters: the longest work takes 7, one of waiting for a
 *     connection and six of working
 * @param main the measured window of the two columns
 * @param observe of the phase in which Hangup only counts
 * @param retry of the phases with callers who try again
 */
record Plan(double start, double control, double ramp, double main, double observe, double retry) {
    /** Two minutes at the default scale. */
    static final Plan FULL = new Plan(1, 10, 7, 32, 12, 12);

    /** For a test: too short for exact figures. */
    static final Plan BRIEF = new Plan(1, 4, 5, 8, 6, 6);

    List<Phase> phases(Duration patience) {
        return List.of(
                control(Phase.NULL_WITHOUT, Applications.WITHOUT, patience),
                control(Phase.NULL_WITH, Applications.WITH, patience),
                load(Phase.WITHOUT, Applications.WITHOUT, Applications.SLOW, 1, patience, main),
                load(Phase.OBSERVE, Applications.WITH, Applications.OBSERVED, 1, patience, observe),
                load(Phase.WITH, Applications.WITH, Applications.SLOW, 1, patience, main),
                retry(Phase.RETRY_WITHOUT, Applications.WITHOUT, patience),
                retry(Phase.RETRY_WITH, Applications.WITH, patience));
    }

    private Phase control(String name, String application, Duration patience) {
        Duration warmUp = Scenario.scaled(patience, start);
        return new Phase(name, application, Applications.SLOW, 0, 1, warmUp, Scenario.scaled(patience, control));
    }

    private Phase retry(String name, String application, Duration patience) {
        return load(name, application, Applications.SLOW, Scenario.ATTEMPTS, patience, retry);
    }

    private Phase load(
            String name, String application, String slowPath, int attempts, Duration patience, double window) {
        return new Phase(
                name,
                application,
                slowPath,
                Scenario.SLOW_SHARE,
                attempts,
                Scenario.scaled(patience, ramp),
                Scenario.scaled(patience, window));
    }
}
