package dev.hangup.call;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The current call for Micrometer's context-propagation, where that is on the class path: work that carries a snapshot (Reactor,
 * {@code ContextExecutorService}, Spring's {@code ContextPropagatingTaskDecorator}) belongs to the call in which the snapshot was
 * taken, as after {@link Call#wrap(Runnable)}. Found by {@code ServiceLoader}; needs no set-up.
 *
 * <p>One difference: a task that comes too late does start, because a snapshot cannot refuse it, and is interrupted from its first
 * instruction on where its endpoint interrupts; it sees the cancel in any case.
 *
 * <p>For the thread itself, each {@code setValue} paired with a {@code restore} in the reverse order, as snapshots do.
 */
public final class CallThreadLocalAccessor implements ThreadLocalAccessor<CallScope> {
    /** The name under which snapshots hold the call. */
    public static final String KEY = "dev.hangup.call";

    private static final ThreadLocal<@Nullable Visit> INNERMOST = new ThreadLocal<>();

    /**
     * What one {@code setValue} has done.
     *
     * @param call attached; null: none is current meanwhile
     * @param hidden what the thread worked for, guarded meanwhile
     */
    private record Visit(
            @Nullable CallScope call,
            @Nullable Worker hidden,
            @Nullable Visit outer) {}

    @Override
    public Object key() {
        return KEY;
    }

    @Override
    public @Nullable CallScope getValue() {
        return CallScope.current();
    }

    @Override
    public void setValue(CallScope call) {
        INNERMOST.set(new Visit(call, null, INNERMOST.get()));
        call.attach();
    }

    /** The snapshot was taken outside any call. */
    @Override
    public void setValue() {
        Worker worker = Worker.CURRENT.get();
        INNERMOST.set(new Visit(null, worker, INNERMOST.get()));
        if (worker != null) {
            worker.enterGuard();
            Worker.CURRENT.set(null);
        }
    }

    @Override
    public void restore(CallScope previous) {
        restore();
    }

    @Override
    public void restore() {
        Visit visit = INNERMOST.get();
        if (visit == null) {
            return; // nothing of ours
        }
        INNERMOST.set(visit.outer);
        Worker hidden = visit.hidden;
        if (visit.call != null) {
            visit.call.leave();
        } else if (hidden != null) {
            Worker.CURRENT.set(hidden);
            if (hidden.leaveGuard()) {
                hidden.deliver();
            }
        }
    }
}
