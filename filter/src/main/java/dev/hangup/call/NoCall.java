package dev.hangup.call;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/** What {@link Call#current()} is outside a request: never cancelled, remembers nothing. */
final class NoCall implements Call {
    static final NoCall INSTANCE = new NoCall();

    private static final Registration NOTHING = () -> {};

    private NoCall() {}

    @Override
    public String endpoint() {
        return CallScope.UNMATCHED;
    }

    @Override
    public Deadline deadline() {
        return Deadline.NONE;
    }

    @Override
    public Duration elapsed() {
        return Duration.ZERO;
    }

    @Override
    public CallerState caller() {
        return CallerState.UNKNOWN;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public Optional<CancelReason> cancelReason() {
        return Optional.empty();
    }

    @Override
    public void throwIfCancelled() {}

    @Override
    public Registration onCallerGone(Consumer<CancelReason> hook) {
        return NOTHING;
    }

    @Override
    public Registration onCancel(Consumer<CancelReason> hook) {
        return NOTHING;
    }

    @Override
    public <T> T shield(Callable<T> section) throws Exception {
        return section.call();
    }

    @Override
    public void detach() {}

    @Override
    public boolean cancel() {
        return false;
    }

    @Override
    public Runnable wrap(Runnable task) {
        return task;
    }

    @Override
    public <T> Callable<T> wrap(Callable<T> task) {
        return task;
    }

    @Override
    public Executor executor(Executor delegate) {
        return delegate;
    }

    @Override
    public ExecutorService executor(ExecutorService delegate) {
        return delegate;
    }
}
