package dev.hangup.tune.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Lines made of fields with literals between them.
 *
 * <p>What callers send (a referrer, a user agent) may hold anything, quotes too, and not every server escapes them. Where no field of
 * interest stands between the first and the last such text, lines are read from both ends, and what is between them does not
 * matter. Otherwise a line with more quotes than its pattern has is none of this format: a column is never shifted.
 */
final class PatternFormat implements LineFormat {

    /** A field, the literal after it, and whether it stands between quotes. */
    static final class Step {

        private final Field field;
        private final byte[] after;
        private final boolean quoted;

        Step(Field field, String after, boolean quoted) {
            this.field = field;
            this.after = after.getBytes(StandardCharsets.UTF_8);
            this.quoted = quoted;
        }
    }

    private final byte[] before;
    private final Step[] steps;
    private final boolean stampIsEnd;
    private final boolean more;
    private final Stamps stamps = new Stamps();

    /** The first and the last text that callers write; -1 if there is none. */
    private final int firstFree;

    private final int lastFree;
    /** Whether something of interest stands between them. */
    private final boolean strict;
    /** Quotes from the end of the last free text on, or in all of the free texts if the format is strict. */
    private final int quotes;

    /**
     * @param stampIsEnd whether the time is taken when the answer is over
     * @param more whether a line may go on after the last field
     */
    PatternFormat(String before, List<Step> steps, boolean stampIsEnd, boolean more) {
        this.before = before.getBytes(StandardCharsets.UTF_8);
        this.steps = steps.toArray(new Step[0]);
        this.stampIsEnd = stampIsEnd;
        this.more = more;
        int first = -1;
        int last = -1;
        for (int i = 0; i < this.steps.length; i++) {
            if (this.steps[i].field == Field.SKIPPED && this.steps[i].quoted) {
                first = first < 0 ? i : first;
                last = i;
            }
        }
        firstFree = first;
        lastFree = last;
        boolean between = more && first >= 0;
        int counted = 0;
        for (int i = Math.max(first, 0); i < last; i++) {
            between |= this.steps[i].field != Field.SKIPPED;
        }
        strict = between;
        for (int i = strict ? first : Math.max(last, 0); i < (strict ? last + 1 : this.steps.length); i++) {
            for (byte b : this.steps[i].after) {
                counted += b == '"' ? 1 : 0;
            }
        }
        quotes = counted;
    }

    @Override
    public boolean hasHost() {
        return Arrays.stream(steps).anyMatch(step -> step.field == Field.HOST);
    }

    @Override
    public Result parse(byte[] b, int from, int to, LogLine line) {
        line.clear(b, from, to);
        line.stampIsEnd = stampIsEnd;
        if (!Bytes.startsWith(b, from, to, before)) {
            return Result.UNPARSED;
        }
        int at = from + before.length;
        boolean unknown = false;
        for (int i = 0; i < steps.length; i++) {
            int begin = at;
            if (i == firstFree) {
                if (!strict) {
                    at = quoteFromTheEnd(b, at, to);
                    i = lastFree;
                } else if (!asManyQuotes(b, at, to)) {
                    return Result.UNPARSED;
                }
            }
            Step step = steps[i];
            boolean skip = step.field == Field.SKIPPED && i == lastFree && !strict;
            int end = skip ? at : end(step, b, at, to);
            if (end < begin) {
                return Result.UNPARSED;
            }
            boolean measured = skip || step.field == Field.COMMON_TIME;
            if (measured && !Bytes.startsWith(b, end, to, step.after)) {
                return Result.UNPARSED;
            }
            if (step.field.isDuration() && end - at == 1 && b[at] == '-') {
                unknown |= step.field != Field.UPSTREAM;
            } else if (step.field != Field.SKIPPED && !read(step.field, line, at, end)) {
                return Result.UNPARSED;
            }
            at = end + step.after.length;
        }
        if (at != to && !more) {
            return Result.UNPARSED;
        }
        return line.hasDuration() ? Result.PARSED : unknown ? Result.NO_DURATION : Result.UNPARSED;
    }

    /** Where the text of the last free field ends, or -1. */
    private int quoteFromTheEnd(byte[] b, int from, int to) {
        int at = to;
        for (int i = 0; i < quotes && at >= from; i++) {
            at = Bytes.lastIndexOf(b, '"', from, at);
        }
        return at < from ? -1 : at;
    }

    private boolean asManyQuotes(byte[] b, int from, int to) {
        int found = 0;
        for (int i = from; i < to; i++) {
            if (b[i] == '\\') {
                i++;
            } else if (b[i] == '"') {
                found++;
            }
        }
        return more ? found >= quotes : found == quotes + quotesAfterFree();
    }

    private int quotesAfterFree() {
        int counted = 0;
        for (int i = lastFree + 1; i < steps.length; i++) {
            for (byte b : steps[i].after) {
                counted += b == '"' ? 1 : 0;
            }
        }
        return counted;
    }

    private int end(Step step, byte[] b, int from, int to) {
        if (step.field == Field.COMMON_TIME) {
            return to - from < Stamps.COMMON_LENGTH ? -1 : from + Stamps.COMMON_LENGTH;
        }
        byte[] after = step.after;
        if (after.length == 0) {
            return more ? Bytes.indexOf(b, ' ', from, to) : to;
        }
        byte wanted = after[0];
        boolean quoted = step.quoted;
        if (quoted) {
            int quote = Bytes.find(b, wanted, from, to);
            boolean escaped = quote > from && b[quote - 1] == '\\';
            if (!escaped && Bytes.startsWith(b, quote, to, after)) {
                return quote;
            }
        }
        for (int i = from; i < to; i++) {
            byte found = b[i];
            if (found == wanted && (after.length == 1 || Bytes.startsWith(b, i, to, after))) {
                return i;
            }
            if (quoted && found == '\\') {
                i++;
            }
        }
        return -1;
    }

    private boolean read(Field field, LogLine line, int from, int to) {
        byte[] b = line.bytes;
        switch (field) {
            case COMMON_TIME -> line.stampMillis = stamps.common(b, from);
            case ISO_TIME -> line.stampMillis = stamps.iso(b, from, to);
            case EPOCH_SECONDS -> {
                long micros = Bytes.micros(b, from, to, 1_000_000, true);
                line.stampMillis = micros < 0 ? Stamps.NONE : micros / 1_000;
            }
            case EPOCH_MILLIS -> {
                long millis = Bytes.number(b, from, to);
                line.stampMillis = millis < 0 ? Stamps.NONE : millis;
            }
            case ISO_START -> {
                long start = stamps.iso(b, from, to);
                line.startMillis = start == Stamps.NONE ? LogLine.UNKNOWN : start;
            }
            case REQUEST -> line.request(from, to);
            case METHOD -> {
                line.methodFrom = from;
                line.methodTo = to;
            }
            case TARGET -> line.target(from, to);
            case STATUS -> {
                return status(line, from, to);
            }
            case HOST -> {
                line.hostFrom = from;
                line.hostTo = to - from == 1 && b[from] == '-' ? from : to;
            }
            case CONNECTION -> {
                line.aborted = to - from == 1 && b[from] == 'X';
                return to - from == 1 && (b[from] == 'X' || b[from] == '+' || b[from] == '-');
            }
            default -> {
                return Spans.read(field, line, from, to);
            }
        }
        return line.stampMillis != Stamps.NONE;
    }

    private static boolean status(LogLine line, int from, int to) {
        if (to - from == 1 && line.bytes[from] == '-') {
            return true;
        }
        line.status = (int) Bytes.number(line.bytes, from, to);
        return to - from == 3 && line.status >= 0;
    }
}
