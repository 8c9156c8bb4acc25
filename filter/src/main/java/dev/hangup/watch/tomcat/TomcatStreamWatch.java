package dev.hangup.watch.tomcat;

import dev.hangup.watch.CallerWatch;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat, HTTP/2. Tomcat reads the connection all the time and puts a stream that is reset, or whose connection is lost, into a
 * state of its own, but tells nobody while a servlet is at work: so that state is looked at again and again, which costs a
 * monitor. Never a selector of ours, which would read beside Tomcat's.
 */
final class TomcatStreamWatch implements CallerWatch {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final TomcatStreams streams;
    private final Object stateMachine;

    TomcatStreamWatch(TomcatStreams streams, Object stateMachine) {
        this.streams = streams;
        this.stateMachine = stateMachine;
    }

    @Override
    public @Nullable SocketChannel channel() {
        return null;
    }

    @Override
    public Duration pause() {
        return PAUSE;
    }

    @Override
    public Verdict look() {
        return streams.isResetByClient(stateMachine) ? Verdict.STREAM_RESET : Verdict.PRESENT;
    }
}
