package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** All that anybody logs while this is open: the containers, the application, Hangup. SLF4J and System.Logger end here, too. */
public final class Logged implements AutoCloseable {

    /** Who tells how long it took to seed a random generator, and, once in a JVM, which optional library Jersey 3.1 is without. */
    private static final Set<String> OF_THE_MACHINE = Set.of(
            "org.apache.catalina.util.SessionIdGeneratorBase",
            "org.glassfish.jersey.message.internal.MessagingBinders");

    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            records.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    /** Held, because the log manager does not. */
    private final Logger root = Logger.getLogger("");

    /** Silent meanwhile: what is provoked on purpose shall not look like a failure of the build. */
    private final Handler[] others = root.getHandlers();

    private final @Nullable Level all = root.getLevel();
    private final Logger ours = Logger.getLogger("dev.hangup");
    private final @Nullable Level before = ours.getLevel();

    private Logged() {
        handler.setLevel(Level.ALL);
        for (Handler other : others) {
            root.removeHandler(other);
        }
        root.addHandler(handler);
    }

    /** What is logged at the levels in force. */
    public static Logged begin() {
        return new Logged();
    }

    /** The same, with Hangup at DEBUG. */
    public static Logged debugging() {
        Logged logged = new Logged();
        logged.ours.setLevel(Level.FINE);
        return logged;
    }

    /** The same, with everybody at INFO and at what else is above DEBUG. */
    public static Logged informing() {
        Logged logged = new Logged();
        logged.root.setLevel(Level.CONFIG);
        return logged;
    }

    /** What Hangup itself has logged, one line each. */
    public List<String> ours() {
        return records.stream()
                .filter(entry -> "dev.hangup".equals(entry.getLoggerName()))
                .map(Logged::text)
                .toList();
    }

    /** What an operator would be called for: WARNING and above, by anybody, unless it is about this machine and its class path. */
    public List<String> alarms() {
        return above(Level.INFO);
    }

    /** What anybody has logged above a level, unless it is about this machine and its class path. */
    public List<String> above(Level level) {
        return records.stream()
                .filter(entry -> entry.getLevel().intValue() > level.intValue())
                .filter(entry -> !OF_THE_MACHINE.contains(entry.getLoggerName()))
                .filter(entry -> !text(entry).startsWith("the watcher was held up"))
                .map(entry ->
                        entry.getLevel() + " " + entry.getLoggerName() + ": " + text(entry) + stack(entry.getThrown()))
                .toList();
    }

    public void assertNoAlarms() {
        assertThat(alarms()).isEmpty();
    }

    private static String text(LogRecord entry) {
        Object[] parameters = entry.getParameters();
        String message = String.valueOf(entry.getMessage());
        return parameters == null ? message : java.text.MessageFormat.format(message, parameters);
    }

    private static String stack(@Nullable Throwable thrown) {
        if (thrown == null) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append("\n    ").append(cause);
            StackTraceElement[] frames = cause.getStackTrace();
            for (int i = 0; i < Math.min(12, frames.length); i++) {
                text.append("\n        at ").append(frames[i]);
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        root.removeHandler(handler);
        for (Handler other : others) {
            root.addHandler(other);
        }
        root.setLevel(all);
        ours.setLevel(before);
    }
}
