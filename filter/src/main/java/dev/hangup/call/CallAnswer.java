package dev.hangup.call;

import java.util.List;
import java.util.Map;

/**
 * What an application answers to a cancel in place of the front door, which sends it while nothing else has been sent and the caller
 * still waits. Immutable.
 */
public final class CallAnswer {
    private final int status;
    private final Map<String, List<String>> headers;
    private final byte[] body;

    /**
     * @param status the HTTP status
     * @param headers in their order; Content-Length does not count
     * @param body all of it; not copied, and not to be changed any more
     */
    public CallAnswer(int status, Map<String, List<String>> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** In their order. */
    public Map<String, List<String>> headers() {
        return headers;
    }

    /** All of it; not a copy. */
    public byte[] body() {
        return body;
    }
}
