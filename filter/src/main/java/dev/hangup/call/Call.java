package dev.hangup.call;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/**
 * One request in flight, from the filter's entry to the end of its work. Safe for any thread; no method waits for another
 * thread. An interface, so that it can be proxied by dependency injection. It holds copied values only: no way leads from it to
 * the request or the response.
 *
 * <p>Races: a cancel wins or the end of the call wins, once and for good. Whoever learns from {@link #isCancelled()} that a call
 * is cancelled also sees its reason. A cancel that was not seen at one checkpoint is seen at the next.
 */
public interface Call {
    /** The call that the current thread works for; never null. Outside a request: a call that is never cancelled. */
    static Call current() {
        CallScope scope = CallScope.current();
        return scope == null ? NoCall.INSTANCE : scope;
    }

    /** The low-cardinality route, for example {@code GET /reports/{id}}; {@code UNMATCHED} if unknown. May change once, when a framework has found its route. */
    String endpoint();

    /** When the answer is of no use any more; {@link Deadline#NONE} if there is no deadline. */
    Deadline deadline();

    /** Time since the call began; stands still once it has ended. Monotonic. */
    Duration elapsed();

    /** What is known of the caller at this moment; a caller that is GONE stays so. */
    CallerState caller();

    /** Whether the call was cancelled, for whatever reason; never false again once true. */
    boolean isCancelled();

    /** Why, or empty while it is not cancelled. */
    Optional<CancelReason> cancelReason();

    /**
     * A checkpoint for work that cannot be interrupted. Does not touch the thread's interrupt flag.
     *
     * @throws CallCancelledException if the call is cancelled
     */
    void throwIfCancelled();

    /**
     * Runs {@code hook} once when the caller is seen leaving, in every mode, on a canceller thread; at once on the calling
     * thread, which no cancel interrupts meanwhile, if it has left already. Never after the call has ended. What the hook
     * throws is logged and dropped.
     */
    Registration onCallerGone(Consumer<CancelReason> hook);

    /**
     * Runs {@code hook} once when the call is cancelled, on a canceller thread, before workers are interrupted; at once on
     * the calling thread, which no cancel interrupts meanwhile, if it is cancelled already. Never after the call has ended, and so
     * not at all where the work sees the cancel by itself and is over before a canceller comes. What the hook throws is logged and
     * dropped. It must not block for long: the interrupts wait for it.
     */
    Registration onCancel(Consumer<CancelReason> hook);

    /**
     * Runs {@code section} on this thread without being interrupted by a cancel. A cancel that arrives inside is raised on
     * leaving; of nested shields, the outermost raises it. A section that is entered after the cancel runs, too, and then this
     * throws. Interrupts by others pass through. A thread that did not work for this call does so meanwhile.
     *
     * @throws CallCancelledException after the section, if this call is cancelled and its endpoint interrupts workers
     * @throws Exception what the section throws; the cancel is then raised as an interrupt of this thread
     */
    <T> T shield(Callable<T> section) throws Exception;

    /**
     * The work must finish whoever listens: from now on neither a departure, nor a deadline, nor {@link #cancel()} stops it, and
     * it is not unowned. Only shutdown cancels a detached call. Once detached, further calls do nothing. Of a detach and a cancel
     * at the same moment one wins.
     *
     * @throws CallCancelledException if the call is cancelled already
     */
    void detach();

    /**
     * Cancels the call with {@link CancelReason#MANUAL}, in every mode; true if this call of the method did it, false if it was
     * cancelled or detached before, or has ended. When it returns true, no transaction of the call can begin to commit any more;
     * hooks and interrupts follow on other threads.
     */
    boolean cancel();

    /**
     * The same task, carrying this call: attached while it runs, interrupted with it, and never started if the call is
     * cancelled by then; a task that is a {@code Future} is cancelled instead. A task that outlives the call sees the ended
     * call, never another's.
     *
     * <p>One kind is started nevertheless, interrupted from its first instruction on: the tasks of a {@code CompletableFuture},
     * which nothing else completes, so that whoever {@code join}s it, deaf to interrupts, would wait for ever.
     *
     * @throws NullPointerException if {@code task} is null
     */
    Runnable wrap(Runnable task);

    /**
     * As {@link #wrap(Runnable)}; a task that is not started throws {@link CallCancelledException}.
     *
     * @throws NullPointerException if {@code task} is null
     */
    <T> Callable<T> wrap(Callable<T> task);

    /** An executor whose tasks carry this call. Tasks on a {@code ForkJoinPool} see the cancel and are not interrupted. */
    Executor executor(Executor delegate);

    /** An executor service whose tasks carry this call; its life cycle is the delegate's. */
    ExecutorService executor(ExecutorService delegate);

    /** A registered hook. */
    interface Registration extends AutoCloseable {
        /** Withdraws the hook; a hook that is running already runs on. */
        @Override
        void close();
    }
}
