package dev.hangup.call;

/** Why a caller could not be watched. The lower-case name is the value of the {@code cause} label in metrics. */
public enum Unwatched {
    /** HTTP/2 on a container without a watch of ours: the connection is shared with other streams, and the kernel's table knows nothing of them. */
    HTTP_2,
    /** Tomcat's NIO2 connector, whose channel cannot be registered with a selector, where there is no socket table to be read. */
    NIO2,
    /** AJP: the peer is a proxy that multiplexes callers. */
    AJP,
    /** The channel is not a TCP socket channel, for example a Unix domain socket. */
    NO_SOCKET,
    /** A servlet container without a watch of ours, and no socket table that lists the connection which its request claims to have. */
    UNKNOWN_CONTAINER,
    /** The container's internals are not what the watch was written for, and no socket table helps. */
    INTERNALS_CHANGED
}
