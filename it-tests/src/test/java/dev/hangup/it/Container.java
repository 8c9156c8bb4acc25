package dev.hangup.it;

/** A running servlet container with one plain HTTP/1.1 connector on an ephemeral loopback port. */
public interface Container extends AutoCloseable {

    /** What the container itself says that it is, for example {@code 12.0.36 ee10}. */
    String version();

    /** The port that it listens on. */
    int port();

    /** How many worker threads are at work on requests now; the container's own threads do not count. */
    int busyWorkers();

    /** Stops it: the site's filters are destroyed and the workers are gone when this returns. Idempotent. */
    @Override
    void close();
}
