package dev.hangup;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Connection;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** The answer to a cancel: the {@link Farewell} if nothing has been sent, else the end of the connection. Given by whoever has the response to himself. */
final class Answer {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final Hangup engine;
    private final CallScope call;
    private final HttpServletRequest request;
    private final Settings settings;
    private final HeadBefore before;
    /** Set before it is: whoever has read it hangs up, and has not given up. */
    private volatile boolean given;

    Answer(Hangup engine, CallScope call, HttpServletRequest request, Settings settings, HeadBefore before) {
        this.engine = engine;
        this.call = call;
        this.request = request;
        this.settings = settings;
        this.before = before;
    }

    /** Whether the farewell is in the response, sent or not. */
    boolean isGiven() {
        return given;
    }

    /**
     * @param alone whether nobody else is inside the response
     * @param whole whether the application has given its whole answer, so that nobody takes half of it for one
     */
    void give(HttpServletResponse response, CancelReason reason, boolean alone, boolean whole) {
        uninterrupted(() -> {
            if (response.getStatus() == HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
                return; // another protocol has the connection
            }
            if (alone && !response.isCommitted()) {
                given = true;
                before.restore(response);
                Farewell.write(response, call, reason, settings);
            } else if (reason.mayBeRead() && !whole && !call.abort() && !call.isResponseOver()) {
                breakOff();
            }
        });
    }

    /** What has been given goes out at once, so that nothing takes its place. */
    void send(HttpServletResponse response) {
        uninterrupted(() -> response.getOutputStream().close());
    }

    /** Somebody else's interrupt, ours has been taken back: at a write on Tomcat it would close the connection. */
    private void uninterrupted(ContainerIo.Io io) {
        boolean interrupted = Thread.interrupted();
        try {
            io.run();
        } catch (IOException | IllegalStateException e) {
            LOG.log(Level.DEBUG, "{0}: the answer to a cancelled call could not be written: {1}", call.endpoint(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The way to the connection of a call that is cancelled before any watch has found it. */
    @Nullable
    Connection wire() {
        return engine.wire(request);
    }

    private void breakOff() {
        Connection connection = wire();
        if (connection == null) {
            LOG.log(Level.DEBUG, "{0}: a truncated response could not be broken off", call.endpoint());
        } else {
            connection.abort();
        }
    }
}
