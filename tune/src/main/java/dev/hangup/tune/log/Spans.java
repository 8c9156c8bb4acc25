package dev.hangup.tune.log;

/** Reads the fields that say how long something took. */
final class Spans {

    private static final long SECOND = 1_000_000;
    /** A year: more is a slip. */
    private static final long LONGEST = 31_536_000 * SECOND;

    private Spans() {}

    static boolean read(Field field, LogLine line, int from, int to) {
        byte[] b = line.bytes;
        switch (field) {
            case MICROS -> {
                return whole(line, Bytes.micros(b, from, to, 1, false), 1);
            }
            case MILLIS -> {
                return whole(line, Bytes.micros(b, from, to, 1_000, false), 1_000);
            }
            case SECONDS -> {
                return whole(line, Bytes.micros(b, from, to, SECOND, true), SECOND);
            }
            case FRACTION -> {
                boolean whole = Bytes.indexOf(b, '.', from, to) == to;
                return !whole && whole(line, Bytes.micros(b, from, to, SECOND, true), SECOND);
            }
            case UPSTREAM -> {
                return upstream(line, from, to);
            }
            default -> {
                return part(field, line, from, to);
            }
        }
    }

    /** Where a line has its duration twice the finer one counts: the coarser cut it off. */
    private static boolean whole(LogLine line, long micros, long unit) {
        boolean cut = unit > 1 && line.micros >= micros && line.micros - micros < unit;
        if (micros >= 0 && !cut) {
            line.micros = micros;
        }
        return micros >= 0 && micros <= LONGEST;
    }

    private static boolean part(Field field, LogLine line, int from, int to) {
        byte[] b = line.bytes;
        boolean unknown = to - from == 2 && b[from] == '-' && b[from + 1] == '1';
        long micros = unknown ? 0 : Bytes.micros(b, from, to, SECOND, true);
        if (micros < 0 || micros > LONGEST) {
            return false;
        }
        line.micros = Math.max(line.micros, 0) + micros;
        if (field == Field.SECONDS_UPSTREAM_PART) {
            line.upstreamMicros = micros;
        }
        // What has no answer has left, unless a status of the server's own says otherwise.
        line.partMissing |= unknown;
        return true;
    }

    private static boolean upstream(LogLine line, int from, int to) {
        byte[] b = line.bytes;
        long sum = 0;
        int attempts = 0;
        for (int at = from; at < to; ) {
            int end = at;
            while (end < to && b[end] != ',' && b[end] != ' ') {
                end++;
            }
            if (end - at != 1 || b[at] != '-') {
                long micros = Bytes.micros(b, at, end, SECOND, true);
                if (micros < 0 || micros > LONGEST) {
                    return false;
                }
                sum += micros;
                attempts++;
            }
            at = end;
            while (at < to && (b[at] == ',' || b[at] == ' ' || b[at] == ':')) {
                at++;
            }
        }
        line.attempts = attempts;
        if (attempts > 0) {
            line.upstreamMicros = sum;
        }
        return true;
    }
}
