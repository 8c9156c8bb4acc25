package dev.hangup.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What takes part in a call besides its first worker: resources, hooks, further workers. Made when the first of them comes.
 *
 * <p>Race, for all three: whoever adds something looks at the call's state afterwards; whoever cancels marks the state and
 * then takes a snapshot. So one of the two sees the other, or both do, and each thing is idempotent. The monitor is held for
 * list operations only, never around foreign code.
 */
final class Participants {
    private final List<CallResource> resources = new ArrayList<>(2);
    private final List<Hook> hooks = new ArrayList<>(0);
    private final List<Worker> workers = new ArrayList<>(0);
    private boolean closed;

    /** False if the call has ended. */
    synchronized boolean add(CallResource resource) {
        return !closed && resources.add(resource);
    }

    synchronized void remove(CallResource resource) {
        for (int i = resources.size() - 1; i >= 0; i--) {
            if (resources.get(i) == resource) {
                resources.remove(i);
                return;
            }
        }
    }

    synchronized void add(Worker worker) {
        workers.add(worker);
    }

    synchronized void remove(Worker worker) {
        workers.remove(worker);
    }

    synchronized void add(Hook hook) {
        if (!closed) {
            hooks.add(hook);
        }
    }

    synchronized void remove(Hook hook) {
        hooks.remove(hook);
    }

    synchronized List<CallResource> resources() {
        return List.copyOf(resources);
    }

    synchronized List<Worker> workers() {
        return List.copyOf(workers);
    }

    synchronized List<Hook> hooks() {
        return List.copyOf(hooks);
    }

    /** Lets go of everything, for a call that has ended; the resources that were still held. */
    synchronized List<CallResource> close() {
        closed = true;
        List<CallResource> held = List.copyOf(resources);
        resources.clear();
        hooks.clear();
        return held;
    }

    /** A hook that runs at most once, whoever comes first: the canceller or the thread that registered it too late. */
    static final class Hook implements Call.Registration {
        private final Participants home;
        private final Consumer<CancelReason> action;
        private final boolean onGone;
        private final AtomicBoolean taken = new AtomicBoolean();

        Hook(Participants home, Consumer<CancelReason> action, boolean onGone) {
            this.home = home;
            this.action = action;
            this.onGone = onGone;
        }

        boolean onGone() {
            return onGone;
        }

        void run(@Nullable CancelReason reason) {
            if (reason != null && taken.compareAndSet(false, true)) {
                action.accept(reason);
            }
        }

        @Override
        public void close() {
            taken.set(true);
            home.remove(this);
        }
    }
}
