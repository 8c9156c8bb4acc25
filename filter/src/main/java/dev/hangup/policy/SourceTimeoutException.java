package dev.hangup.policy;

import java.net.http.HttpTimeoutException;
import java.time.Duration;

/** A source has not answered in the time that it had. The message names source, host, window and that time. */
public final class SourceTimeoutException extends HttpTimeoutException {
    private static final long serialVersionUID = 1L;

    private final String source;
    private final String host;
    private final String window;
    private final Duration timeout;

    /** @param source its name in the policy; where it has none, its host */
    SourceTimeoutException(String source, String host, Source.Budget budget) {
        super(source + (source.equals(host) ? "" : " (" + host + ")")
                + (budget.timeout().isZero()
                        ? " was not asked: no time is"
                        : " has not answered within " + Durations.format(budget.timeout())
                                + (budget.isCalls() ? ", what was" : ""))
                + (budget.isCalls() ? " left of the call's deadline" : "")
                + " (window " + budget.window() + ")");
        this.source = source;
        this.host = host;
        this.window = budget.window();
        this.timeout = budget.timeout();
    }

    /** The source's name in the policy; its host if the policy does not name it. */
    public String source() {
        return source;
    }

    /** The host that was asked. */
    public String host() {
        return host;
    }

    /** The window that was in force when the request was sent. */
    public String window() {
        return window;
    }

    /** For how long it was waited for; zero if nothing was left. */
    public Duration timeout() {
        return timeout;
    }
}
