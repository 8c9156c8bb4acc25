package dev.hangup.tune.log;

import java.nio.charset.StandardCharsets;

/** Knows the lines that servers write if nobody asked for durations, to tell somebody what is missing. */
public final class PlainLines {

    private final Stamps stamps = new Stamps();

    /** Whether the line ends where its duration should be: after the bytes sent, or after the user agent. */
    public boolean isWithoutDuration(byte[] b, int from, int to) {
        int open = Bytes.indexOf(b, '[', from, to);
        if (to - open < Stamps.COMMON_LENGTH + 4 || stamps.common(b, open + 1) == Stamps.NONE) {
            return false;
        }
        int request = open + Stamps.COMMON_LENGTH + 1;
        if (!Bytes.startsWith(b, request, to, "] \"".getBytes(StandardCharsets.US_ASCII))) {
            return false;
        }
        int end = Bytes.indexOf(b, '"', request + 3, to);
        boolean status = to - end >= 5
                && b[end + 1] == ' '
                && Bytes.number(b, end + 2, end + 5) >= 0
                && (end + 5 == to || b[end + 5] == ' ');
        int sent = Bytes.indexOf(b, ' ', Math.min(end + 6, to), to);
        return status && (sent == to || b[to - 1] == '"');
    }
}
