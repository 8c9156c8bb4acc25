package dev.hangup.tune.log;

import java.util.Arrays;
import java.util.List;

/** One of several formats: the one that the line before was of is asked first. */
final class EitherFormat implements LineFormat {

    private final LineFormat[] formats;
    private int last;

    EitherFormat(List<LineFormat> formats) {
        this.formats = formats.toArray(new LineFormat[0]);
    }

    @Override
    public boolean hasHost() {
        return Arrays.stream(formats).anyMatch(LineFormat::hasHost);
    }

    @Override
    public Result parse(byte[] bytes, int from, int to, LogLine line) {
        Result result = formats[last].parse(bytes, from, to, line);
        if (result != Result.UNPARSED) {
            return result;
        }
        for (int i = 0; i < formats.length; i++) {
            Result other = i == last ? Result.UNPARSED : formats[i].parse(bytes, from, to, line);
            if (other != Result.UNPARSED) {
                last = i;
                return other;
            }
        }
        return Result.UNPARSED;
    }
}
