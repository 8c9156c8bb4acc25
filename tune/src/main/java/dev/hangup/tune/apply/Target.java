package dev.hangup.tune.apply;

/**
 * What has a value of its own for each window.
 *
 * @param name an endpoint's, such as {@code GET /reports/{id}}; a source's, or the host that serves it
 */
public record Target(Kind kind, String name) {

    /** The two sections of a policy that hold such values. */
    public enum Kind {
        ENDPOINT,
        SOURCE
    }

    @Override
    public String toString() {
        return name;
    }
}
