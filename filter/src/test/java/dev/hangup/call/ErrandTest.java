package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is done elsewhere for a call is broken off for the first of all reasons, and for none when it is over. */
final class ErrandTest {

    private final TestRuntime runtime = new TestRuntime();
    private final AtomicInteger broken = new AtomicInteger();

    @AfterEach
    void stop() {
        runtime.close();
    }

    private static Errand begun(CallScope call) {
        Errand errand = new Errand(call);
        errand.begin();
        return errand;
    }

    @Test
    void theCallsCancelBreaksItOff() {
        CallScope call = runtime.begin(TestRuntime.NEVER_INTERRUPTS);
        Errand errand = begun(call);
        errand.running(broken::incrementAndGet);
        assertThat(broken).hasValue(0);
        call.cancel();
        assertThat(errand.reason()).isInstanceOf(CallCancelledException.class);
        TestRuntime.awaitCancelled(call);
        assertThat(broken).hasValue(1);
        TestRuntime.end(call);
    }

    @Test
    void aStopBeforeThereIsAnythingToStopIsNotLost() {
        CallScope call = runtime.begin(TestRuntime.NEVER_INTERRUPTS);
        Errand errand = begun(call);
        call.cancel();
        TestRuntime.awaitCancelled(call);
        assertThat(broken).hasValue(0);
        errand.running(broken::incrementAndGet);
        assertThat(broken).hasValue(1);
        TestRuntime.end(call);
    }

    @Test
    void whatBeginsForACancelledCallIsStoppedAtOnce() {
        CallScope call = runtime.begin(TestRuntime.NEVER_INTERRUPTS);
        call.cancel();
        TestRuntime.awaitCancelled(call);
        Errand errand = begun(call);
        assertThat(errand.reason()).isInstanceOf(CallCancelledException.class);
        TestRuntime.end(call);
    }

    @Test
    void whatIsOverIsNotHit() {
        CallScope call = runtime.begin(TestRuntime.NEVER_INTERRUPTS);
        Errand errand = begun(call);
        errand.running(broken::incrementAndGet);
        errand.over();
        call.cancel();
        TestRuntime.awaitCancelled(call);
        assertThat(broken).hasValue(0);
        assertThat(errand.reason()).isNull();
        TestRuntime.end(call);
    }

    @Test
    void theFirstReasonIsTheReason() {
        Errand errand = new Errand(null);
        errand.begin();
        errand.running(broken::incrementAndGet);
        Exception first = new Exception("first");
        errand.stop(first);
        errand.stop(new Exception("second"));
        assertThat(errand.reason()).isSameAs(first);
        assertThat(broken).hasValue(2);
    }

    @Test
    void itsTimeBreaksItOffUnlessItIsOver() throws Exception {
        CompletableFuture<Boolean> late = new CompletableFuture<>();
        Errand over = new Errand(null);
        over.running(broken::incrementAndGet);
        over.limit(Duration.ofMillis(10), () -> new Exception("its time"));
        over.over();
        Errand slow = new Errand(null);
        slow.running(() -> late.complete(true));
        slow.limit(Duration.ofMillis(50), () -> new Exception("its time")); // after the other's
        assertThat(late.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(slow.reason()).hasMessage("its time");
        assertThat(over.reason()).isNull();
        assertThat(broken).hasValue(0);
    }

    /** What one of them does when it is late, which may be the application's, keeps none of the others waiting. */
    @Test
    void eachThatIsLateHasAThreadOfItsOwn() throws InterruptedException {
        int many = 3 * Runtime.getRuntime().availableProcessors();
        CountDownLatch all = new CountDownLatch(many);
        CountDownLatch over = new CountDownLatch(1);
        for (int i = 0; i < many; i++) {
            Errand errand = new Errand(null);
            errand.running(() -> {
                all.countDown();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            errand.limit(Duration.ofMillis(10), IllegalStateException::new);
        }
        try {
            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            over.countDown();
        }
    }
}
