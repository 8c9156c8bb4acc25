package dev.hangup.call;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Every task carries the call; a submitted task that never starts fails its future with {@link CallCancelledException}. */
final class CarryingExecutorService implements ExecutorService {
    private final CallWork call;
    private final ExecutorService delegate;

    CarryingExecutorService(CallWork call, ExecutorService delegate) {
        this.call = call;
        this.delegate = delegate;
    }

    @Override
    public void execute(Runnable task) {
        delegate.execute(call.wrap(task));
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        return delegate.submit(call.wrap(task));
    }

    @Override
    @SuppressWarnings("NullAway") // the interface promises a result of T, which for a null result is null
    public <T> Future<T> submit(Runnable task, @Nullable T result) {
        return delegate.submit(call.wrap(Executors.callable(task, result)));
    }

    @Override
    public Future<?> submit(Runnable task) {
        return delegate.submit(call.wrap(Executors.callable(task)));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        return delegate.invokeAll(wrapped(tasks));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        return delegate.invokeAll(wrapped(tasks), timeout, unit);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        return delegate.invokeAny(wrapped(tasks));
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return delegate.invokeAny(wrapped(tasks), timeout, unit);
    }

    private <T> List<Callable<T>> wrapped(Collection<? extends Callable<T>> tasks) {
        List<Callable<T>> carrying = new ArrayList<>(tasks.size());
        for (Callable<T> task : tasks) {
            carrying.add(call.wrap(task));
        }
        return carrying;
    }

    @Override
    public void shutdown() {
        delegate.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return delegate.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return delegate.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return delegate.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return delegate.awaitTermination(timeout, unit);
    }
}
