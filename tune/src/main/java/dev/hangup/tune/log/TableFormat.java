package dev.hangup.tune.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** CloudFront's standard logs: columns between tabs, named in a comment at the head of each file; times in UTC, of the end. */
final class TableFormat implements LineFormat {

    /** Those of a file without a head. */
    private static final List<String> STANDARD = List.of(
            "date",
            "time",
            "x-edge-location",
            "sc-bytes",
            "c-ip",
            "cs-method",
            "cs(Host)",
            "cs-uri-stem",
            "sc-status",
            "cs(Referer)",
            "cs(User-Agent)",
            "cs-uri-query",
            "cs(Cookie)",
            "x-edge-result-type",
            "x-edge-request-id",
            "x-host-header",
            "cs-protocol",
            "cs-bytes",
            "time-taken");

    private static final byte[] HEAD = "#Fields:".getBytes(StandardCharsets.US_ASCII);
    private static final int MOST = 256;

    private final Stamps stamps = new Stamps();
    private final int[] begins = new int[MOST + 1];
    private int columns;
    private int date;
    private int time;
    private int method;
    private int path;
    private int status;
    private int taken;
    private int host;

    TableFormat() {
        begin();
    }

    @Override
    public void begin() {
        columns(STANDARD);
    }

    private void columns(List<String> names) {
        columns = names.size();
        date = names.indexOf("date");
        time = names.indexOf("time");
        method = names.indexOf("cs-method");
        path = names.indexOf("cs-uri-stem");
        status = names.indexOf("sc-status");
        taken = names.indexOf("time-taken");
        host = names.contains("x-host-header") ? names.indexOf("x-host-header") : names.indexOf("cs(Host)");
    }

    @Override
    public boolean hasHost() {
        return host >= 0;
    }

    @Override
    public Result parse(byte[] b, int from, int to, LogLine line) {
        line.clear(b, from, to);
        if (b[from] == '#') {
            if (Bytes.startsWith(b, from, to, HEAD)) {
                String names = new String(b, from + HEAD.length, to - from - HEAD.length, StandardCharsets.ISO_8859_1);
                columns(Arrays.asList(names.strip().split("\\s+")));
            }
            return Result.COMMENT;
        }
        int count = 0;
        int at = from;
        begins[0] = from;
        while (at < to && count < MOST) {
            at = Bytes.indexOf(b, '\t', at, to) + 1;
            begins[++count] = at;
        }
        boolean complete = count >= Math.min(columns, STANDARD.size()) && count <= MOST;
        if (!complete || date < 0 || time < 0 || status < 0 || width(date) != 10 || width(time) != 8) {
            return Result.UNPARSED;
        }
        if (taken < 0) {
            return Result.NO_DURATION;
        }
        return read(line, b) ? Result.PARSED : Result.UNPARSED;
    }

    private boolean read(LogLine line, byte[] b) {
        line.stampIsEnd = true;
        line.stampMillis = stamps.utc(b, begins[date], begins[time]);
        line.micros = Bytes.micros(b, begins[taken], begins[taken] + width(taken), 1_000_000, true);
        line.status = (int) Bytes.number(b, begins[status], begins[status] + width(status));
        if (method >= 0 && path >= 0) {
            line.methodFrom = begins[method];
            line.methodTo = begins[method] + width(method);
            line.target(begins[path], begins[path] + width(path));
        }
        if (host >= 0) {
            line.hostFrom = begins[host];
            line.hostTo = begins[host] + width(host);
        }
        return line.stampMillis != Stamps.NONE && line.micros >= 0 && line.status >= 0 && width(status) == 3;
    }

    private int width(int column) {
        return begins[column + 1] - begins[column] - 1;
    }
}
