package dev.hangup.call;

import java.time.Duration;

/** A named endpoint as the policy treats it now; read by gauges, from any thread. */
public interface EndpointView {
    /** For example {@code GET /reports/{id}}. */
    String endpoint();

    /** The deadline in force at this moment. */
    Duration deadline();

    /** Whether departures cancel. */
    boolean cancels();
}
