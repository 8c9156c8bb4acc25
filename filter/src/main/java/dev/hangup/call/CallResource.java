package dev.hangup.call;

import org.jspecify.annotations.Nullable;

/**
 * Something that a call holds and that takes part in its cancel: a database connection, a search engine's task, a downstream
 * request. Added with {@link CallScope#add}, withdrawn with {@link CallScope#remove}. Exceptions are logged and stop nothing else.
 */
public interface CallResource {
    /**
     * From now on nothing new may start or be committed on this resource. Runs on the thread that cancels, before
     * {@code cancel} returns (or on the thread that adds the resource to a call already cancelled); must not block. May be
     * called more than once.
     */
    void refuse();

    /** Stop what is running. Runs once, on a canceller thread, after {@link #refuse()}; not for every resource added after the cancel; may block for milliseconds, not for seconds: hooks and interrupts wait for it. */
    void cancel();

    /** The work has not ended {@code escalateAfter} after the cancel: break what holds it. Runs once, on a canceller thread, even while {@link #cancel()} is blocked on another; for resources added after the cancel, too. */
    void abort();

    /** The call has ended while this was still held, or had ended before this was added: from now on the resource must not be touched on its behalf. Runs once, on the thread that ended the call or that adds the resource; must not block. A {@link #cancel} may be under way at this moment. */
    default void disown() {}

    /** The pool that this is a part of, or null. */
    default @Nullable Pool pool() {
        return null;
    }
}
