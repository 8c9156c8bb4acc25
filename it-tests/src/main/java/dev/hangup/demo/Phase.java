package dev.hangup.demo;

import java.time.Duration;

/**
 * One run of the load.
 *
 * @param name also that of its object in the JSON
 * @param application the path of the application that is called
 * @param slowPath where its slow requests go
 * @param slowShare the part (0..1) of slow requests
 * @param attempts how often a caller tries
 * @param warmUp from the first request until the server is in its steady state
 * @param window the part after it that is measured
 */
record Phase(
        String name,
        String application,
        String slowPath,
        double slowShare,
        int attempts,
        Duration warmUp,
        Duration window) {

    static final String NULL_WITHOUT = "null_without";
    static final String NULL_WITH = "null_with";
    static final String WITHOUT = "without";
    static final String WITH = "with";
    static final String OBSERVE = "observe";
    static final String RETRY_WITHOUT = "retry_without";
    static final String RETRY_WITH = "retry_with";

    Duration length() {
        return warmUp.plus(window);
    }
}
