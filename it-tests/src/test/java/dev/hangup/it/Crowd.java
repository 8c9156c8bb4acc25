package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Several clients at once. */
final class Crowd {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    interface Member {
        void act(int number) throws Exception;
    }

    private Crowd() {}

    /** Runs this many members, each on its own thread; returns when all are done, or throws what one of them threw first. */
    static void of(int size, Member member) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(size);
        try {
            CompletionService<Void> members = new ExecutorCompletionService<>(threads);
            for (int i = 0; i < size; i++) {
                int number = i;
                members.submit(() -> {
                    member.act(number);
                    return null;
                });
            }
            for (int i = 0; i < size; i++) {
                Future<Void> done = members.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(done).as("not done after %s", PATIENCE).isNotNull();
                done.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("a member of the crowd failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }
}
