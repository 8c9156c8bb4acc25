package dev.hangup.tune;

import dev.hangup.policy.PolicyException;
import dev.hangup.policy.PolicyFile;
import dev.hangup.tune.apply.Advice;
import dev.hangup.tune.apply.Caution;
import dev.hangup.tune.apply.PolicySheet;
import dev.hangup.tune.apply.Revision;
import dev.hangup.tune.apply.Ruling;
import dev.hangup.tune.apply.SafeFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Puts recommendations into a policy file. */
@Command(
        name = "apply",
        description = "Puts recommendations into a policy file; shows what would change unless told to --write.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class Apply implements Callable<Integer> {

    @Spec
    @Nullable
    CommandSpec spec;

    @Mixin
    Evidence evidence = new Evidence();

    @Option(names = "--policy", required = true, paramLabel = "FILE", description = "The policy file.")
    @Nullable
    Path policy;

    @Option(names = "--from", paramLabel = "FILE", description = "What recommend --json has written, instead of logs.")
    @Nullable
    Path from;

    @Option(names = "--write", description = "Replace the policy file. Otherwise only the difference is shown.")
    boolean write;

    @Option(
            names = "--min-runs",
            defaultValue = "5",
            paramLabel = "N",
            description = "Runs that must have been seen before a value is lowered (${DEFAULT-VALUE}).")
    int minRuns;

    @Option(
            names = "--margin",
            defaultValue = "0.002",
            paramLabel = "SHARE",
            description = "By how much the rate must exceed its target for a value to be lowered (${DEFAULT-VALUE}).")
    Share margin = Share.parse("0.002");

    @Option(names = "--history", paramLabel = "FILE", description = "Append what was decided, and why: JSON lines.")
    @Nullable
    Path history;

    @Option(names = "--json", description = "Say what was decided as JSON.")
    boolean json;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        Path file = Objects.requireNonNull(policy);
        if ((from == null) != evidence.given()) {
            throw new ParameterException(command.commandLine(), "either --from or logs: exactly one of them");
        }
        SafeFile old = read(file);
        PolicySheet sheet = sheet(file, old.bytes());
        List<Recommendation> recommendations = from == null
                ? evidence.findings(file).stream().map(Finding::recommendation).toList()
                : RecommendationJson.read(from);
        if (recommendations.stream().allMatch(it -> it.recommended() == null)) {
            throw new NoRecommendation("no recommendation has a value: " + recommendations.size() + " were read");
        }
        Caution caution = new Caution(minRuns, margin.value());
        List<Ruling> rulings = recommendations.stream()
                .map(ApplyAdvice::of)
                .map(advice -> caution.decide(advice, sheet.value(advice.target(), advice.window())))
                .toList();
        Revision revision = Revision.of(sheet, rulings);
        boolean written = write && revision.changes();
        if (written) {
            replace(file, old, revision);
        }
        ApplyRecord record = new ApplyRecord(file, revision, recommendations, written);
        if (history != null) {
            record.appendTo(history);
        }
        PrintWriter out = command.commandLine().getOut();
        out.print(json ? record.json() : text(file, revision, written));
        return Tune.DONE;
    }

    private String text(Path file, Revision revision, boolean written) {
        StringBuilder text = new StringBuilder(written ? "" : revision.diff(file.toString()));
        text.append(text.isEmpty() ? "" : "\n");
        for (Ruling ruling : revision.rulings()) {
            Advice advice = ruling.advice();
            text.append(String.format("%-5s ", ruling.course().key()))
                    .append(advice.target().name())
                    .append(", ")
                    .append(advice.window())
                    .append(": ")
                    .append(ruling.values())
                    .append("; ")
                    .append(ruling.reason())
                    .append('\n');
        }
        revision.notes().forEach(note -> text.append("note  ").append(note).append('\n'));
        String end = !revision.changes()
                ? "nothing to change"
                : written ? file + " is written" : "nothing is written without --write";
        return text.append(end).append('\n').toString();
    }

    private static SafeFile read(Path file) {
        try {
            return SafeFile.read(file);
        } catch (NoSuchFileException missing) {
            throw new UnreadableInput(file + ": there is no such file", missing);
        } catch (AccessDeniedException denied) {
            throw new UnreadableInput(file + ": may not be read", denied);
        } catch (IOException failed) {
            String problem = Files.isDirectory(file) ? "is a directory" : failed.toString();
            throw new UnreadableInput(file + ": " + problem, failed);
        }
    }

    private static PolicySheet sheet(Path file, byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return PolicySheet.of(file.toString(), text);
        } catch (CharacterCodingException malformed) {
            throw new UnreadableInput(file + ": not UTF-8", malformed);
        } catch (PolicyException refused) {
            throw new UnreadableInput(String.valueOf(refused.getMessage()), refused);
        }
    }

    private static void replace(Path file, SafeFile old, Revision revision) {
        try {
            old.replace(revision.text().getBytes(StandardCharsets.UTF_8), Apply::load);
        } catch (AccessDeniedException denied) {
            // It is replaced by a new file, so that its own mode does not matter.
            throw new UnreadableInput(
                    file + " was not replaced: " + denied.getFile()
                            + " may not be made; its directory must be writable",
                    denied);
        } catch (IOException failed) {
            throw new UnreadableInput(file + " was not replaced: " + failed.getMessage(), failed);
        } catch (PolicyException refused) {
            throw new UnreadableInput(file + " was not replaced: " + refused, refused);
        }
    }

    /** As the filter will. */
    private static void load(Path written) {
        PolicyFile.read(written).policy();
    }
}
