package dev.hangup.tune;

import dev.hangup.tune.log.Input;
import dev.hangup.tune.log.LogFormat;
import dev.hangup.tune.log.Server;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What commands that read logs have in common: a mixin. The policy's file is the command's own option. */
public final class Evidence {

    @Spec(Spec.Target.MIXEE)
    @Nullable
    CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "LOG",
            description = "Access logs, plain or gzip; globs; - is the standard input.")
    List<String> logs = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "What wrote the logs: tomcat9, tomcat (10 and later), jetty, nginx, httpd, undertow,"
                    + " cloudfront, alb. Units differ between them, so it is never guessed.")
    @Nullable
    String format;

    @Option(
            names = "--pattern",
            paramLabel = "PATTERN",
            description = "The format of the lines as the server's configuration has it.")
    @Nullable
    String pattern;

    @Option(
            names = "--max-unparsed",
            paramLabel = "SHARE",
            description = "Refuse if more of the lines cannot be read. Default: 1%%.")
    Share maxUnparsed = Share.parse("1%");

    @Option(
            names = "--since",
            paramLabel = "SPAN|DATE",
            description = "Pass over calls before: 90d, 12h, or a date such as 2026-11-30. Default: none.")
    @Nullable
    String since;

    @Option(
            names = "--run-by",
            paramLabel = "RUN",
            description = "What a run is: file, hour, day or field:N. Default: file.")
    String runBy = "file";

    @ArgGroup(exclusive = false, heading = "What is counted together:%n")
    Grouping grouping = new Grouping();

    @ArgGroup(exclusive = false, heading = "What is looked for:%n")
    Aim aim = new Aim();

    @ArgGroup(exclusive = false, heading = "A whole fleet, instead of logs:%n")
    @Nullable
    Fleet fleet;

    /** Whether any log was named, or a fleet. */
    boolean given() {
        return !logs.isEmpty() || fleet != null;
    }

    /**
     * Reads the logs and looks for the values. What was not counted is said on the error stream.
     *
     * @param policy the policy's file; null if there is none
     * @throws UnreadableInput if something cannot be read
     * @throws ParameterException if options contradict each other
     */
    List<Finding> findings(@Nullable Path policy) {
        try {
            return fleet == null ? read(policy) : ask(fleet, policy);
        } catch (Input.Unreadable unreadable) {
            throw new UnreadableInput(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    private List<Finding> read(@Nullable Path policy) {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter err = command.commandLine().getErr();
        if (!given()) {
            throw usage("name a log; - is the standard input");
        }
        LogFormat lines;
        Recommender recommender;
        WindowClock clock;
        Runs runs;
        Tally tally;
        try {
            lines = new LogFormat(server(), pattern);
            recommender = new Recommender(aim.search(grouping.by), aim.targets());
            clock = grouping.clock(policy);
            runs = new Runs(runBy, clock.zone());
            long from = Since.millis(since, clock.zone());
            tally = new Tally(clock, grouping.router(clock, policy != null), runs, grouping.isUpstream(), from);
        } catch (IllegalArgumentException wrong) {
            throw usage(String.valueOf(wrong.getMessage()));
        }
        List<Input> inputs = Input.of(logs);
        LogReading reading = new LogReading(lines, tally, Progress.of(inputs, err));
        for (Input input : inputs) {
            runs.beginFile(input.name());
            reading.read(input);
        }
        reading.finish(maxUnparsed, err);
        tally.notes().forEach(err::println);
        if (tally.series().isEmpty()) {
            err.println(grouping.remedy(lines));
        }
        return recommender.findings(tally, runs);
    }

    private List<Finding> ask(Fleet fleet, @Nullable Path policy) {
        if (!logs.isEmpty() || grouping.isUpstream()) {
            throw usage("--prometheus takes the place of logs, and knows endpoints only");
        }
        try {
            WindowClock clock = grouping.clock(policy);
            return new FleetFindings(clock, policy != null, grouping.templates, new HashSet<>(grouping.endpoints))
                    .findings(
                            fleet,
                            new Recommender(aim.search(grouping.by), aim.targets()),
                            fleet.runs(runBy, clock.zone()),
                            Since.millis(since == null ? Fleet.SINCE : since, clock.zone()),
                            Objects.requireNonNull(spec).commandLine().getErr());
        } catch (IllegalArgumentException wrong) {
            throw usage(String.valueOf(wrong.getMessage()));
        }
    }

    private Server server() {
        if (format == null) {
            if (pattern != null && pattern.contains("$")) {
                return Server.NGINX;
            }
            throw new IllegalArgumentException(
                    "Name the --format, because the same column is milliseconds in one server"
                            + " and microseconds in the next.");
        }
        return Server.parse(format);
    }

    private ParameterException usage(String problem) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), problem);
    }

    /** What calls are counted together. */
    static final class Grouping {

        @Option(
                names = "--by",
                paramLabel = "WHAT",
                description = "endpoint, or source: what the application calls downstream, from the logs of what"
                        + " stands in front of it; or host. Default: endpoint.")
        By by = By.ENDPOINT;

        @Option(
                names = "--template",
                paramLabel = "TEMPLATE",
                description = "An endpoint such as \"GET /reports/{id}\", beside those of the policy.")
        List<String> templates = List.of();

        @Option(names = "--endpoint", paramLabel = "NAME", description = "Count this endpoint, and no others.")
        List<String> endpoints = List.of();

        @Option(names = "--context", paramLabel = "PATH", description = "What stands in front of every path.")
        String context = "";

        @Option(
                names = "--source",
                paramLabel = "NAME[=HOST]",
                description = "The source that a host belongs to; without a host, all lines are this source's.")
        List<String> sources = List.of();

        @Option(
                names = "--window",
                paramLabel = "NAME=TIMES",
                description = "A window beside those of the policy: \"mornings={ hours: 7-9 }\".")
        List<String> windows = List.of();

        @Option(
                names = "--zone",
                paramLabel = "ZONE",
                description = "The zone of windows and days. Default: the policy's.")
        @Nullable
        String zone;

        WindowClock clock(@Nullable Path policy) {
            return Policies.clock(policy, zone, windows);
        }

        /** What to do where nothing was counted. */
        String remedy(LogFormat lines) {
            if (by == By.ENDPOINT) {
                return "Nothing was counted: name endpoints with --template, or in the policy.";
            }
            return lines.hasHost()
                    ? "Nothing was counted: name the source with --source NAME, or each with its host, NAME=HOST."
                    : "Nothing was counted: the pattern has no host column, and --by "
                            + by.name().toLowerCase(Locale.ROOT) + " goes by the host. Log "
                            + lines.server().hostFields() + " and name it in --pattern, or, if all lines are one"
                            + " source's, name that with --source NAME.";
        }

        boolean isUpstream() {
            return by != By.ENDPOINT;
        }

        Router router(WindowClock clock, boolean knowsValues) {
            if (by == By.ENDPOINT) {
                return new EndpointRouter(clock.policy(), knowsValues, templates, new HashSet<>(endpoints), context);
            }
            return Policies.sources(clock.policy(), knowsValues && by == By.SOURCE, sources);
        }
    }
}
