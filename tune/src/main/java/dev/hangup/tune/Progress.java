package dev.hangup.tune;

import dev.hangup.tune.log.Input;
import java.io.Console;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line on a terminal that says how much has been read, for inputs that take a while. Silent elsewhere. */
final class Progress {

    private static final long LARGE = 50L << 20;
    private static final long BETWEEN = 32L << 20;

    private final @Nullable PrintWriter terminal;
    private long read;
    private long shown;

    private Progress(@Nullable PrintWriter terminal) {
        this.terminal = terminal;
    }

    static Progress of(List<Input> inputs, PrintWriter err) {
        long size = inputs.stream().mapToLong(Input::size).sum();
        return new Progress(size > LARGE && isTerminal() ? err : null);
    }

    @SuppressWarnings("SystemConsoleNull") // Asked again below for the newer versions.
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // Since Java 22 there is a console without a terminal too.
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException older) {
            return true;
        }
    }

    void add(long bytes) {
        read += bytes;
        if (terminal != null && read - shown > BETWEEN) {
            shown = read;
            terminal.print("\r" + (read >> 20) + " MB of lines read");
            terminal.flush();
        }
    }

    void end() {
        if (terminal != null) {
            terminal.print("\r\u001b[K");
            terminal.flush();
        }
    }
}
