package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A framework that ends its own asynchronous response, and the front door after it. */
final class CompleterTest {
    private final TestRuntime runtime = new TestRuntime();
    private final PeerTest.Answer answer = new PeerTest.Answer();
    private final List<String> order = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        Thread.interrupted();
        runtime.close();
    }

    private CallScope begin(Treatment treatment) {
        CallScope call = runtime.begin(treatment);
        call.response(answer);
        answer.completing = () -> order.add("front door");
        return call;
    }

    @Test
    void itHasItsTurnAfterTheHooksAndBeforeTheFrontDoor() {
        CallScope call = begin(TestRuntime.CANCELS);
        call.onCancel(reason -> order.add("hook"));
        call.completer(() -> order.add("replaced"));
        call.completer(() -> {
            order.add("framework");
            call.completeIfCancelled(); // as its own AsyncContext.complete() does, and as others do meanwhile
            Thread.currentThread().interrupt();
            order.add("framework is done");
        });
        call.cancel();
        TestRuntime.awaitInterrupt();

        assertThat(order).containsExactly("hook", "framework", "framework is done", "front door");
        TestRuntime.end(call);
    }

    @Test
    void whateverFindsTheCallCancelledLeavesItToTheFramework() {
        CallScope call = begin(TestRuntime.NEVER_INTERRUPTS);
        CountDownLatch hook = new CountDownLatch(1);
        call.onCancel(reason -> PeerTest.await(hook));
        call.completer(() -> order.add("framework"));
        call.cancel();
        call.completeIfCancelled();
        assertThat(order).isEmpty();
        hook.countDown();
        TestRuntime.awaitCancelled(call);

        assertThat(order).containsExactly("framework", "front door");
        TestRuntime.end(call);
    }

    @Test
    void oneRegisteredTooLateHasItsTurnToo() {
        CallScope call = begin(TestRuntime.NEVER_INTERRUPTS);
        call.cancel();
        TestRuntime.awaitCancelled(call);
        call.completer(() -> order.add("framework"));
        runtime.awaitIdleCancellers();

        assertThat(order).containsExactly("front door", "framework", "front door");
        TestRuntime.end(call);
    }

    @Test
    void oneThatDoesNotReturnIsNotWaitedForWhenTheCancelEscalates() {
        CallScope call = begin(TestRuntime.ESCALATES);
        CountDownLatch never = new CountDownLatch(1);
        call.completer(() -> PeerTest.await(never));
        call.cancel();
        await().atMost(Duration.ofSeconds(5)).until(() -> order.contains("front door"));
        never.countDown();
        TestRuntime.end(call);
    }

    @Test
    void oneThatThrowsKeepsNobodyWaiting() {
        CallScope call = begin(TestRuntime.NEVER_INTERRUPTS);
        call.completer(() -> {
            throw new IllegalStateException("on purpose");
        });
        call.cancel();
        TestRuntime.awaitCancelled(call);

        assertThat(order).containsExactly("front door");
        TestRuntime.end(call);
    }

    @Test
    void theCallDoesNotEndBeforeItsTurnThoughTheResponseDoes() {
        CallScope call = begin(TestRuntime.NEVER_INTERRUPTS);
        CountDownLatch hook = new CountDownLatch(1);
        call.onCallerGone(cause -> PeerTest.await(hook));
        call.completer(() -> order.add("framework"));
        call.leave();
        call.callerGone(CancelReason.STREAM_RESET);
        call.responseOver();
        assertThat(call.isEnded()).isFalse();
        hook.countDown();
        await().atMost(Duration.ofSeconds(5)).until(call::isEnded);

        assertThat(order).containsExactly("framework");
        assertThat(runtime.heard).endsWith("ended CANCELLED");
    }

    @Test
    void oneOfACallThatHasEndedIsNotRun() {
        CallScope call = begin(TestRuntime.NEVER_INTERRUPTS);
        call.completer(() -> order.add("framework"));
        TestRuntime.end(call);
        call.completer(() -> order.add("late framework"));

        assertThat(call.cancel()).isFalse();
        assertThat(order).isEmpty();
        assertThat(call.hasCompleter()).isFalse();
    }
}
