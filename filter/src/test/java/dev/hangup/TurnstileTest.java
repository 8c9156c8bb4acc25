package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class TurnstileTest {
    private final Turnstile turnstile = new Turnstile();

    @Test
    void isHisWhoShutsItWhileNobodyIsInside() {
        assertThat(turnstile.enter()).isTrue();
        assertThat(turnstile.leave()).as("it is open").isFalse();
        assertThat(turnstile.shut()).isTrue();
        assertThat(turnstile.shut()).isTrue();
        assertThat(turnstile.enter()).isFalse();
    }

    @Test
    void theLastToLeaveLearnsThatItIsShut() {
        turnstile.enter();
        turnstile.enter();
        assertThat(turnstile.shut()).isFalse();
        assertThat(turnstile.isOccupied()).isTrue();
        assertThat(turnstile.leave()).isFalse();
        assertThat(turnstile.leave()).isTrue();
        assertThat(turnstile.isOccupied()).isFalse();
        assertThat(turnstile.shut()).isTrue();
    }

    /** Each on a thread of its own: the common pool may have only one. */
    @Test
    void waitsForOthersButNotForItself() throws Exception {
        turnstile.enter();
        assertThat(turnstile.awaitOthers(Duration.ofMillis(10))).isTrue();
        ExecutorService others = Executors.newFixedThreadPool(2);
        try {
            Future<Boolean> waiting = others.submit(() -> turnstile.awaitOthers(Duration.ofSeconds(10)));
            assertThat(others.submit(() -> turnstile.awaitOthers(Duration.ofMillis(10)))
                            .get())
                    .isFalse();
            turnstile.leave();
            assertThat(waiting.get()).isTrue();
        } finally {
            others.shutdownNow();
        }
    }

    /** One of the two always has the response: who shuts it, or who leaves it. */
    @Test
    void nobodyIsLostBetweenShuttingAndLeaving() {
        for (int round = 0; round < 20_000; round++) {
            Turnstile raced = new Turnstile();
            AtomicInteger owners = new AtomicInteger();
            raced.enter();
            CompletableFuture<Void> shutting = CompletableFuture.runAsync(() -> {
                if (raced.shut()) {
                    owners.incrementAndGet();
                }
            });
            if (raced.leave()) {
                owners.incrementAndGet();
            }
            shutting.join();
            assertThat(owners).hasValue(1);
        }
    }
}
