package dev.hangup.policy;

import dev.hangup.call.Call;
import dev.hangup.call.Deadline;
import java.time.Duration;

/** Something that the application calls downstream: where it is, and how long to wait for it now. Immutable but for the time of day. */
public final class Source {

    private final String name;
    private final String host;
    private final Deadlines timeouts;

    Source(String name, String host, Deadlines timeouts) {
        this.name = name;
        this.host = host;
        this.timeouts = timeouts;
    }

    /** The name by which the policy knows it. */
    public String name() {
        return name;
    }

    /** The host that serves it, with its port where the policy names one. */
    public String host() {
        return host;
    }

    /**
     * How long to wait for it now: the timeout of the window in force, or what is left of the current call's deadline if that is
     * less. Zero if nothing is left. Ask anew for each request.
     */
    public Duration timeout() {
        return budget().timeout();
    }

    /** {@link #timeout()}, with the window in which it was looked up. */
    public Budget budget() {
        return budget(Call.current().deadline());
    }

    /** The same for a call with this deadline, on whichever thread. */
    public Budget budget(Deadline deadline) {
        return timeouts.budget(deadline.remaining());
    }

    /**
     * How long to wait, as of one moment.
     *
     * @param timeout not negative; zero: nothing is left
     * @param window the window in force
     * @param isCalls whether it is what is left of the call's deadline, because that is less than the source's own timeout
     */
    public record Budget(Duration timeout, String window, boolean isCalls) {}

    /** Reads as {@code weather_a (a.example.com, spike_00: 3s)}: name, host, window in force and its timeout. */
    @Override
    public String toString() {
        return name + " (" + host + ", " + timeouts.describe() + ")";
    }
}
