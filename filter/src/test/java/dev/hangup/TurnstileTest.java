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

    @Test
    void oneGetsInAloneWhereItIsShutAndEmpty() {
        assertThat(turnstile.enterAlone()).as("it is open").isFalse();
        turnstile.enter();
        turnstile.shut();
        assertThat(turnstile.enterAlone()).as("somebody is inside").isFalse();
        turnstile.leave();
        assertThat(turnstile.enterAlone()).isTrue();
        assertThat(turnstile.enterAlone()).as("one is inside").isFalse();
        assertThat(turnstile.awaitOthers(Duration.ofMillis(10)))
                .as("only itself")
                .isTrue();
        turnstile.leave();
    }

    @Test
    void nobodyGetsInOnceItIsClosedAndWhoIsInsideIsWaitedFor() throws Exception {
        turnstile.shut();
        turnstile.enterAlone();
        turnstile.close();
        assertThat(turnstile.isOccupied()).isTrue();
        assertThat(CompletableFuture.supplyAsync(() -> turnstile.awaitOthers(Duration.ofMillis(10)))
                        .get())
                .isFalse();
        assertThat(turnstile.leave()).as("nothing is left to be done").isFalse();
        assertThat(turnstile.shut()).as("it is the container's").isFalse();
        assertThat(turnstile.enterAlone()).isFalse();
        assertThat(turnstile.enter()).isFalse();
    }

    /** An answer that begins late either finds it closed, or is waited for. */
    @Test
    void nobodyIsInsideOnceItWasClosedAndLeft() {
        AtomicInteger answered = new AtomicInteger();
        for (int round = 0; round < 5_000; round++) {
            Turnstile raced = new Turnstile();
            AtomicInteger inside = new AtomicInteger();
            raced.shut();
            CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> {
                if (raced.enterAlone()) {
                    inside.incrementAndGet();
                    answered.incrementAndGet();
                    inside.decrementAndGet();
                    raced.leave();
                }
            });
            raced.close();
            assertThat(raced.awaitOthers(Duration.ofSeconds(10))).isTrue();
            int late = answered.get();
            answering.join();
            assertThat(answered).hasValue(late);
            assertThat(inside).hasValue(0);
        }
    }
}
