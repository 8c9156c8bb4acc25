package dev.hangup.tune;

import dev.hangup.tune.log.Input;
import dev.hangup.tune.log.LineFormat;
import dev.hangup.tune.log.Lines;
import dev.hangup.tune.log.LogFormat;
import dev.hangup.tune.log.LogLine;
import dev.hangup.tune.log.PlainLines;
import dev.hangup.tune.log.Server;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads logs into a tally, and keeps an account of what it could not read. */
final class LogReading implements Lines.Taker {

    private static final int SHOWN = 3;
    private static final int LONGEST_SHOWN = 160;
    /** So many lines and none that can be read: the rest will be no better. */
    private static final long HOPELESS = 100_000;

    private final LogFormat format;
    private final LineFormat lines;
    private final Tally tally;
    private final Progress progress;
    private final Lines reader = new Lines(this);
    private final LogLine line = new LogLine();
    private final PlainLines plain = new PlainLines();
    private final List<String> shown = new ArrayList<>();
    private String input = "";
    private long parsed;
    private long unparsed;
    private long withoutDuration;

    LogReading(LogFormat format, Tally tally, Progress progress) {
        this.format = format;
        this.lines = format.lines();
        this.tally = tally;
        this.progress = progress;
    }

    /** @throws Input.Unreadable if the input cannot be read to its end */
    void read(Input input) {
        this.input = input.name();
        lines.begin();
        input.read(reader);
    }

    @Override
    public void take(byte[] bytes, int from, int to) {
        LineFormat.Result result = lines.parse(bytes, from, to, line);
        if (result == LineFormat.Result.PARSED) {
            parsed++;
            tally.add(line);
        } else if (result != LineFormat.Result.COMMENT) {
            withoutDuration +=
                    result == LineFormat.Result.NO_DURATION || plain.isWithoutDuration(bytes, from, to) ? 1 : 0;
            refuse(bytes, from, to);
        }
    }

    /** A file that is being written ends anywhere: what is cut off is no reason to doubt the rest. */
    @Override
    public void takeUnended(byte[] bytes, int from, int to) {
        long before = unparsed;
        take(bytes, from, to);
        if (unparsed > before && parsed > 0 && withoutDuration == 0) {
            unparsed = before;
            if (shown.size() > before) {
                shown.remove(shown.size() - 1);
            }
        }
    }

    @Override
    public void refuse(byte[] bytes, int from, int to) {
        unparsed++;
        if (shown.size() < SHOWN) {
            int end = Math.min(to, from + LONGEST_SHOWN);
            String text = new String(bytes, from, end - from, StandardCharsets.UTF_8);
            String printable = text.replaceAll("[\\p{Cntrl}\\p{Cf}\u2028\u2029\uFFFD]", "?");
            shown.add(input + ", line " + reader.number() + ": " + printable + (end < to ? "..." : ""));
        }
        if (unparsed == HOPELESS && parsed == 0) {
            throw refusal();
        }
    }

    @Override
    public void progress(long bytes) {
        progress.add(bytes);
    }

    /**
     * Says what could not be read.
     *
     * @throws UnreadableInput if that is too much
     */
    void finish(Share mostUnparsed, PrintWriter err) {
        progress.end();
        if (unparsed > (parsed + unparsed) * mostUnparsed.value()) {
            throw refusal();
        }
        if (unparsed > 0) {
            err.println(account());
        }
        if (parsed == 0) {
            throw new NoRecommendation("The logs are empty.");
        }
    }

    private UnreadableInput refusal() {
        StringBuilder problem = new StringBuilder(account());
        if (withoutDuration * 2 > unparsed) {
            problem.append(System.lineSeparator()).append("They have no duration field. ");
            problem.append(Server.advice(format.server()));
        } else {
            problem.append(System.lineSeparator()).append("Expected lines of --format ");
            problem.append(format.server().key()).append(", whose pattern is ");
            problem.append(format.pattern() == null ? format.server().pattern() : format.pattern());
        }
        return new UnreadableInput(problem.toString());
    }

    private String account() {
        StringBuilder text = new StringBuilder();
        text.append(unparsed).append(" of ").append(parsed + unparsed).append(" lines cannot be read, the first:");
        shown.forEach(each -> text.append(System.lineSeparator()).append("  ").append(each));
        return text.toString();
    }
}
