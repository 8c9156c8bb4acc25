package dev.hangup.tune;

import dev.hangup.policy.Durations;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The program {@code hangup-tune}. Exit codes: 0 done, 1 no recommendation is possible, 2 usage, 3 unreadable input. What went
 * wrong is said in a line on the error stream, never by a stack trace.
 */
@Command(
        name = "hangup-tune",
        description = "Chooses deadlines from evidence, and says how far to trust them.",
        subcommands = {Gap.class, Recommend.class, Apply.class, Report.class, GenerateCompletion.class},
        mixinStandardHelpOptions = true,
        version = "hangup-tune 0.1.0-SNAPSHOT",
        synopsisSubcommandLabel = "COMMAND")
public final class Tune {

    static final int DONE = 0;
    static final int NO_RECOMMENDATION = 1;
    static final int USAGE = 2;
    static final int UNREADABLE = 3;

    Tune() {}

    /** Runs the program and ends the JVM with its exit code. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code = run(out, err, args);
        out.flush();
        err.flush();
        System.exit(code);
    }

    /** Runs one command; the streams are the caller's to flush. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = new CommandLine(new Tune());
        line.setOut(out).setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler(Tune::failed);
        line.setParameterExceptionHandler(Tune::misused);
        line.registerConverter(Duration.class, Durations::parse);
        line.registerConverter(Share.class, Share::parse);
        return line.execute(args);
    }

    private static int misused(ParameterException misuse, String[] args) {
        CommandLine line = misuse.getCommandLine();
        line.getErr().println(misuse.getMessage());
        line.getErr().println("Try \"" + line.getCommandSpec().qualifiedName() + " --help\".");
        return USAGE;
    }

    private static int failed(Exception failure, CommandLine line, ParseResult parsed) {
        if (failure instanceof UnreadableInput || failure instanceof NoRecommendation) {
            line.getErr().println(failure.getMessage());
        } else {
            line.getErr().println("hangup-tune failed: " + failure);
        }
        return failure instanceof NoRecommendation ? NO_RECOMMENDATION : UNREADABLE;
    }
}
