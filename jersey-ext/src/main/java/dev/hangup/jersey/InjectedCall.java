package dev.hangup.jersey;

import dev.hangup.call.Call;
import dev.hangup.call.CallerState;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What is injected where an object outlives requests: whichever call the thread works for at the moment of asking. On a thread that
 * works for none it is {@link Call#current()} outside a request: never cancelled.
 */
final class InjectedCall implements Call {
    private final Supplier<Call> now;

    InjectedCall(Supplier<Call> now) {
        this.now = now;
    }

    @Override
    public String endpoint() {
        return now.get().endpoint();
    }

    @Override
    public Deadline deadline() {
        return now.get().deadline();
    }

    @Override
    public Duration elapsed() {
        return now.get().elapsed();
    }

    @Override
    public CallerState caller() {
        return now.get().caller();
    }

    @Override
    public boolean isCancelled() {
        return now.get().isCancelled();
    }

    @Override
    public Optional<CancelReason> cancelReason() {
        return now.get().cancelReason();
    }

    @Override
    public void throwIfCancelled() {
        now.get().throwIfCancelled();
    }

    @Override
    public Registration onCallerGone(Consumer<CancelReason> hook) {
        return now.get().onCallerGone(hook);
    }

    @Override
    public Registration onCancel(Consumer<CancelReason> hook) {
        return now.get().onCancel(hook);
    }

    @Override
    public <T> T shield(Callable<T> section) throws Exception {
        return now.get().shield(section);
    }

    @Override
    public void detach() {
        now.get().detach();
    }

    @Override
    public boolean cancel() {
        return now.get().cancel();
    }

    @Override
    public Runnable wrap(Runnable task) {
        return now.get().wrap(task);
    }

    @Override
    public <T> Callable<T> wrap(Callable<T> task) {
        return now.get().wrap(task);
    }

    @Override
    public Executor executor(Executor delegate) {
        return now.get().executor(delegate);
    }

    @Override
    public ExecutorService executor(ExecutorService delegate) {
        return now.get().executor(delegate);
    }

    @Override
    public String toString() {
        return now.get().toString();
    }
}
