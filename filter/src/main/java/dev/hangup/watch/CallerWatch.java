package dev.hangup.watch;

import dev.hangup.call.Connection;
import dev.hangup.call.Unwatched;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How one caller's connection is read without touching what it carries: no byte is consumed that the container has not asked
 * for, nothing is written. Used on the watcher thread only, within the call's peer lock, so that the request cannot end
 * meanwhile.
 */
public interface CallerWatch {
    /**
     * The channel to be registered for reading; null where it must not be: others read it while this request is worked on
     * (HTTP/2), or no selector takes it (NIO2). Then {@link #pause()} and {@link #begin} say when to look.
     */
    @Nullable
    SocketChannel channel();

    /**
     * The connection itself where it carries this request alone: its addresses are what the kernel's table is asked for when a look
     * is {@link Verdict#AMBIGUOUS}, and its keep-alive may be set. Null where it is shared or not known.
     */
    default @Nullable NetworkChannel socket() {
        return channel();
    }

    /** Where the connection is to be found in the kernel's table; null: nowhere. */
    default @Nullable Route route() {
        return Route.of(socket());
    }

    /**
     * For a watch that knows no more than the kernel's table says, and whose {@link #look} is never asked: why its caller is
     * unwatched where there is no table, or where the table does not list the connection. Null for a watch that sees by itself.
     */
    default @Nullable Unwatched unlisted() {
        return null;
    }

    /**
     * Called when the selector found the channel readable, after a signal, and after each {@link #pause()}; without a channel also
     * by a thread on which the response fails or ends. Must not block.
     */
    Verdict look();

    /**
     * Whether the container has handed the end of its answer to the network, so that whoever leaves now may have got all of it: asked
     * of calls that are only observed, whose answer nobody else knows. False where that cannot be told. Must take no lock.
     */
    default boolean isAnswered() {
        return false;
    }

    /** How long to wait for the next look where there is no channel to select; null: look at signals only. */
    default @Nullable Duration pause() {
        return null;
    }

    /**
     * The watch begins: {@code signal} may be run by any thread, at any time, also after the end, and asks for a look soon. Called
     * once, before the first look and outside the peer lock: the request may have ended.
     */
    default void begin(Runnable signal) {}

    /** What a look found. {@code GONE} and {@code STREAM_RESET} are final. */
    enum Verdict {
        /** End of stream or a reset. */
        GONE,
        /** HTTP/2: this stream was reset, or its connection was lost. */
        STREAM_RESET,
        /** Nothing has happened to a caller whose channel is not selected. */
        PRESENT,
        /** It may be gone; one more look, {@link Watcher#SECOND_LOOK} later, if the channel is still readable then. */
        AGAIN,
        /** Bytes are waiting that belong to the container: a pipelined request, an unread body. The kernel's table may know more. */
        AMBIGUOUS
    }

    /** Finds the way from a request to its connection; one per container, used by many calls. */
    interface Source {
        /** Short name for logs, for example {@code tomcat}. */
        String name();

        /**
         * A watch on this request's connection, or null if the request is not of this container.
         *
         * @param request what the filter was given
         * @throws UnwatchableException if it is, but its caller cannot be watched
         */
        @Nullable
        CallerWatch open(Object request) throws UnwatchableException;

        /** The way to break off the connection of this request, also where its caller cannot be watched; null if there is none. */
        default @Nullable Connection wire(Object request) {
            return null;
        }

        /**
         * Whether the container has taken this request back, which it may have done without telling any listener; false if that
         * cannot be told. Within the peer lock.
         */
        default boolean isOver(Object request) {
            return false;
        }

        /**
         * The address at the other end of the connection's socket, by the container's own channel: the request's may have been
         * rewritten from a header by a valve, a customizer, a filter or a proxy's preface. Null if that cannot be told (another
         * container, no TCP). On a worker, before the response can end.
         *
         * @throws IOException if the connection has been closed
         */
        default @Nullable InetAddress peer(Object request) throws IOException {
            return null;
        }

        /**
         * For how long the container has had this request before it gave it to a worker; zero if that cannot be told, as on HTTP/1.1,
         * where a request is not read before there is a worker. As {@link #peer}.
         */
        default Duration waited(Object request) {
            return Duration.ZERO;
        }

        /** The number of worker threads of the container that serves this request, if it is known. */
        default OptionalInt workerThreads(Object request) {
            return OptionalInt.empty();
        }
    }

    /** This caller cannot be watched; its deadlines still apply. */
    final class UnwatchableException extends Exception {
        private static final long serialVersionUID = 1L;

        private final Unwatched unwatched;

        public UnwatchableException(Unwatched unwatched, String message) {
            super(message, null, false, false);
            this.unwatched = unwatched;
        }

        /** As {@link #UnwatchableException(Unwatched, String)}, with what went wrong. */
        public UnwatchableException(Unwatched unwatched, String message, Throwable cause) {
            super(message, cause, false, false);
            this.unwatched = unwatched;
        }

        public Unwatched unwatched() {
            return unwatched;
        }
    }
}
