package dev.hangup.tune;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What commands that read logs have in common: a mixin. Give the policy's file to {@link #findings} rather than as an option
 * where the command has it anyway.
 */
public final class Evidence {

    @Parameters(paramLabel = "LOG", description = "Access logs, plain or gzip; globs; - is standard input.")
    List<String> logs = List.of();

    @Option(names = "--format", paramLabel = "FORMAT", description = "What wrote the logs.")
    @Nullable
    String format;

    /** Whether any log was named. */
    boolean given() {
        return !logs.isEmpty();
    }

    /**
     * Reads the logs and looks for the values.
     *
     * @param policy the policy's file; null if there is none
     * @throws UnreadableInput if something cannot be read
     */
    List<Finding> findings(@Nullable Path policy) {
        if (!given()) {
            return List.of();
        }
        throw new UnreadableInput("logs cannot be read yet");
    }
}
