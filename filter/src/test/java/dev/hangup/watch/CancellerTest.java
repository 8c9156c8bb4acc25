package dev.hangup.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class CancellerTest {
    @Test
    void oneTaskThatFailsOrLeavesItsInterruptSpoilsNoOther() throws Exception {
        try (Canceller canceller = new Canceller(1)) {
            CompletableFuture<Thread> first = new CompletableFuture<>();
            canceller.execute(() -> {
                first.complete(Thread.currentThread());
                Thread.currentThread().interrupt();
                throw new IllegalStateException("on purpose");
            });
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            CompletableFuture<Thread> second = new CompletableFuture<>();
            canceller.execute(() -> {
                second.complete(Thread.currentThread());
                interrupted.complete(Thread.currentThread().isInterrupted());
            });
            assertThat(interrupted.get(5, TimeUnit.SECONDS)).isFalse();
            assertThat(second.get(5, TimeUnit.SECONDS)).isSameAs(first.get(5, TimeUnit.SECONDS));
        }
    }

    @Test
    void queuedCancelsAreNotDroppedByClosing() throws Exception {
        Canceller canceller = new Canceller(2);
        CountDownLatch ran = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            canceller.execute(ran::countDown);
        }
        canceller.close();
        assertThat(ran.getCount()).isZero();
    }

    @Test
    void afterClosingItTakesNothingAndThrowsNothing() {
        Canceller canceller = new Canceller(1);
        canceller.close();
        assertThatCode(() -> canceller.execute(() -> {})).doesNotThrowAnyException();
    }
}
