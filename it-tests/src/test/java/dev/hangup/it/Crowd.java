package dev.hangup.it;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Several clients at once. */
final class Crowd {

    interface Member {
        void act(int number) throws Exception;
    }

    private Crowd() {}

    /** Runs this many members, each on its own thread; returns when all are done, throws what the first of them threw. */
    static void of(int size, Member member) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(size);
        try {
            List<Future<?>> members = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int number = i;
                members.add(threads.submit(() -> {
                    member.act(number);
                    return null;
                }));
            }
            for (Future<?> one : members) {
                one.get(60, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("a member of the crowd failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }
}
