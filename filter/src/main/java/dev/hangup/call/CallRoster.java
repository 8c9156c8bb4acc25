package dev.hangup.call;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who takes part in a call besides its first worker: resources, hooks, further workers. Costs a call without any nothing. */
abstract class CallRoster extends CallFacts {
    private static final AtomicReferenceFieldUpdater<CallRoster, @Nullable Participants> PARTICIPANTS =
            AtomicReferenceFieldUpdater.newUpdater(CallRoster.class, Participants.class, "participants");

    /** Made by whoever needs it first. */
    private volatile @Nullable Participants participants;

    CallRoster(
            CallRuntime runtime,
            String method,
            String endpoint,
            Treatment treatment,
            Duration deadline,
            Arrival arrival,
            boolean guarded,
            @Nullable Object peer) {
        super(runtime, method, endpoint, treatment, deadline, arrival, guarded, peer);
    }

    /**
     * Adds a resource that takes part in a cancel. Any worker. Refused at once if the call is cancelled already; disowned at
     * once if it has ended.
     */
    public final void add(CallResource resource) {
        boolean added = participants().add(resource);
        if (isCancelled()) {
            resource.refuse();
        }
        if (!added) {
            resource.disown();
        }
    }

    /** Withdraws a resource. */
    public final void remove(CallResource resource) {
        Participants others = participants;
        if (others != null) {
            others.remove(resource);
        }
    }

    @Override
    public final Registration onCallerGone(Consumer<CancelReason> hook) {
        return register(hook, true);
    }

    @Override
    public final Registration onCancel(Consumer<CancelReason> hook) {
        return register(hook, false);
    }

    private Registration register(Consumer<CancelReason> action, boolean onGone) {
        Participants home = participants();
        Participants.Hook hook = new Participants.Hook(home, action, onGone);
        home.add(hook);
        // Look after adding: whoever cancels marks first and then takes a snapshot of the hooks.
        if (!isEnded() && (onGone ? callerGoneAt != 0 : isCancelled())) {
            CallScope.enterGuard();
            try {
                Ladder.step("hook", () -> hook.run(onGone ? goneCause : reason()));
            } finally {
                CallScope.leaveGuardQuietly();
            }
        }
        return hook;
    }

    final void join(Worker worker) {
        participants().add(worker);
    }

    final void part(Worker worker) {
        Participants others = participants;
        if (others != null) {
            others.remove(worker);
        }
    }

    /** Whether somebody takes part: then a departure has hooks to look for. */
    final boolean hasCompany() {
        return participants != null;
    }

    final void eachResource(Consumer<CallResource> action) {
        Participants others = participants;
        if (others != null && !isEnded()) {
            Ladder.each(others.resources(), "resource", action);
        }
    }

    final void eachFurtherWorker(Consumer<Worker> action) {
        Participants others = participants;
        if (others != null) {
            others.workers().forEach(action);
        }
    }

    final boolean hasGoneHooks() {
        Participants others = participants;
        return others != null && others.hooks().stream().anyMatch(Participants.Hook::onGone);
    }

    final void runHooks(CancelReason reason, boolean onGone) {
        Participants others = participants;
        if (others != null) {
            for (Participants.Hook hook : others.hooks()) {
                if (hook.onGone() == onGone && !isEnded()) {
                    Ladder.step("hook", () -> hook.run(reason));
                }
            }
        }
    }

    /**
     * Runs it on a canceller.
     *
     * @param holding whether the call is not to end before: the container may end the response at the same moment, and for the same
     *     reason, and hooks would not run any more
     */
    final void onCanceller(boolean holding, Runnable task) {
        boolean held = holding && hold();
        if (held) {
            ERRANDS.incrementAndGet(this);
        }
        try {
            runtime.canceller().execute(() -> {
                try {
                    task.run();
                } finally {
                    letGo(held);
                }
            });
        } catch (RuntimeException e) {
            letGo(held); // the engine is closed
            throw e;
        }
    }

    private void letGo(boolean held) {
        if (held) {
            ERRANDS.decrementAndGet(this);
            if (release()) {
                end();
            }
        }
    }

    /** The call has ended. */
    final void disband() {
        turn(null);
        Participants others = participants;
        if (others != null) {
            disband(others);
        }
    }

    private static void disband(Participants others) {
        Ladder.each(others.close(), "disown", CallResource::disown);
    }

    private Participants participants() {
        Participants known = participants;
        if (known != null) {
            return known;
        }
        Participants made = new Participants();
        if (!PARTICIPANTS.compareAndSet(this, null, made)) {
            return participants();
        }
        // Whoever ends the call marks it, then looks for participants: one of us two closes these.
        if (isEnded()) {
            disband(made);
        }
        return made;
    }
}
