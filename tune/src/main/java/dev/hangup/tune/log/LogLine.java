package dev.hangup.tune.log;

/**
 * One line taken apart, and taken apart again for the next: parts of it are places in the buffer that it was read into. Not for
 * several threads.
 */
public final class LogLine {

    static final int UNKNOWN = -1;

    byte[] bytes = {};
    int from;
    int to;

    /** What the time stamp says, and whether it was taken when the answer was over. */
    long stampMillis;

    boolean stampIsEnd;

    /** When it is known otherwise than by the stamp. */
    long startMillis;

    long micros;
    long upstreamMicros;
    int attempts;
    int status;
    boolean aborted;
    /** Part of the duration is not known: nobody was there to answer, or to be answered. */
    boolean partMissing;

    int methodFrom;
    int methodTo;
    int pathFrom;
    int pathTo;
    int hostFrom;
    int hostTo;

    void clear(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        stampMillis = 0;
        stampIsEnd = false;
        startMillis = UNKNOWN;
        micros = UNKNOWN;
        upstreamMicros = UNKNOWN;
        attempts = 0;
        status = 0;
        aborted = false;
        partMissing = false;
        methodFrom = methodTo = 0;
        pathFrom = pathTo = 0;
        hostFrom = hostTo = 0;
    }

    /** The buffer that all places are in. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where the line begins. */
    public int from() {
        return from;
    }

    /** Where it ends, without its line end. */
    public int to() {
        return to;
    }

    /** When the request began, in milliseconds since the epoch: what decides its window. */
    public long startMillis() {
        if (startMillis != UNKNOWN) {
            return startMillis;
        }
        return stampIsEnd && micros > 0 ? stampMillis - (micros + 999) / 1_000 : stampMillis;
    }

    /** How long the call took, in microseconds. */
    public long micros() {
        if (partMissing && startMillis != UNKNOWN && stampMillis > startMillis) {
            return (stampMillis - startMillis) * 1_000;
        }
        return micros == UNKNOWN ? Math.max(upstreamMicros, 0) : micros;
    }

    /** How long what is behind the proxy took, in microseconds, all attempts together; as {@link #micros()} if that is not said. */
    public long upstreamMicros() {
        return upstreamMicros == UNKNOWN ? micros() : upstreamMicros;
    }

    /** How often the proxy tried; 0 if that is not said. */
    public int attempts() {
        return attempts;
    }

    /** What became of it. */
    public Outcome outcome() {
        if (aborted || status == 499 || status == 460 || status == 0) {
            return Outcome.DEPARTED;
        }
        if (status == 101) {
            return Outcome.UPGRADED;
        }
        if (status >= 500) {
            return Outcome.FAILED;
        }
        return partMissing ? Outcome.DEPARTED : Outcome.SUCCEEDED;
    }

    /** Whether the server, or the proxy, gave up waiting. */
    public boolean timedOut() {
        return status == 504;
    }

    /** Where the method begins; nothing of a request is there if it ends there too. */
    public int methodFrom() {
        return methodFrom;
    }

    /** Where the method ends. */
    public int methodTo() {
        return methodTo;
    }

    /** Where the path begins. */
    public int pathFrom() {
        return pathFrom;
    }

    /** Where the path ends, without its query. */
    public int pathTo() {
        return pathTo;
    }

    /** Where the host begins; none is there if it ends there too. */
    public int hostFrom() {
        return hostFrom;
    }

    /** Where the host ends. */
    public int hostTo() {
        return hostTo;
    }

    boolean hasDuration() {
        return micros != UNKNOWN || upstreamMicros != UNKNOWN;
    }

    /**
     * Takes a request apart: method, target and protocol. What is none, such as what a scanner sends, leaves the places empty:
     * the line is still one.
     */
    void request(int begin, int end) {
        int space = Bytes.indexOf(bytes, ' ', begin, end);
        int last = Bytes.lastIndexOf(bytes, ' ', begin, end);
        if (space == begin || space == end || !isMethod(begin, space)) {
            return;
        }
        methodFrom = begin;
        methodTo = space;
        target(space + 1, last > space ? last : end);
    }

    /** Takes a request's target apart, in any of its forms. */
    void target(int begin, int end) {
        int path = begin;
        if (path < end && bytes[path] != '/') {
            int scheme = Bytes.indexOf(bytes, ':', path, end);
            if (scheme + 2 < end && bytes[scheme + 1] == '/' && bytes[scheme + 2] == '/') {
                path = Bytes.indexOf(bytes, '/', scheme + 3, end);
                hostFrom = hostFrom == hostTo ? scheme + 3 : hostFrom;
                hostTo = hostFrom == scheme + 3 ? path : hostTo;
            }
        }
        pathFrom = path;
        pathTo = Bytes.indexOf(bytes, '?', path, end);
    }

    private boolean isMethod(int begin, int end) {
        for (int i = begin; i < end; i++) {
            if (bytes[i] < 'A' || bytes[i] > 'Z') {
                return false;
            }
        }
        return end - begin <= 32;
    }
}
