package dev.hangup.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program that a test has started. It ends, with all that it has started itself, when this is closed, and also when this JVM
 * ends before.
 */
public final class Child implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Process process;
    private final Path output;
    private final Thread atExit = new Thread(this::kill, "kill-child");

    private Child(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts it.
     *
     * @param directory where it runs, and where its output goes into a file of its own
     */
    public static Child start(Path directory, List<String> command) {
        return start(directory, command, Map.of());
    }

    /** @param environment on top of ours */
    static Child start(Path directory, List<String> command, Map<String, String> environment) {
        try {
            Path output = Files.createTempFile(directory, "output", ".txt");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Child child = new Child(builder.start(), output);
            Runtime.getRuntime().addShutdownHook(child.atExit);
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it has written so far, to either stream. */
    public String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it without asking, so that the kernel closes its sockets. */
    public void kill() {
        family().forEach(ProcessHandle::destroyForcibly);
    }

    /** Asks it to end, then insists; returns when it is gone. */
    @Override
    public void close() {
        List<ProcessHandle> family = family().toList();
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
            for (ProcessHandle member : family) {
                member.destroyForcibly();
                member.onExit()
                        .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            }
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            kill(); // this JVM is ending just now
        }
    }

    /** Asked before it ends: afterwards its children are somebody else's. */
    private Stream<ProcessHandle> family() {
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()));
    }
}
