package dev.hangup.it;

import java.util.Arrays;
import java.util.logging.Handler;
import java.util.logging.Logger;

/** Keeps out of the log what the containers say while this is open, where a test makes applications fail by the thousand. */
public final class Silence implements AutoCloseable {

    private static final Logger ROOT = Logger.getLogger("");

    private Silence() {}

    public static Silence ofContainers() {
        for (Handler handler : ROOT.getHandlers()) {
            handler.setFilter(
                    entry -> !String.valueOf(entry.getLoggerName()).matches("org\\.(eclipse\\.jetty|apache)\\..*"));
        }
        return new Silence();
    }

    @Override
    public void close() {
        Arrays.stream(ROOT.getHandlers()).forEach(handler -> handler.setFilter(null));
    }
}
