package dev.hangup.demo;

import java.time.Duration;

/**
 * What callers do.
 *
 * @param slowPath where slow requests go; a number follows
 * @param fastPath where fast ones go
 * @param patience how long a caller waits before it hangs up
 * @param attempts how often a caller tries until it is served; 1 for callers who give up at once
 */
record Load(String slowPath, String fastPath, Duration patience, int attempts) {

    String path(boolean slow) {
        return slow ? slowPath : fastPath;
    }
}
