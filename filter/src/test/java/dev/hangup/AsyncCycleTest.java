package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.AsyncContext;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AsyncCycleTest {
    private final AsyncCycle cycle = new AsyncCycle();
    private final AsyncContext context = context();
    private final AtomicInteger ended = new AtomicInteger();

    @Test
    void whatTheApplicationEndsIsNotOurs() {
        cycle.begin(context);
        assertThat(cycle.isOpen()).isTrue();
        cycle.end(context, ended::incrementAndGet);
        assertThat(cycle.claim()).isNull();
        assertThat(cycle.isOpen()).isFalse();
        assertThat(cycle.isOurs()).isFalse();
        cycle.end(context, ended::incrementAndGet);
        assertThat(ended).as("a second end is the container's to refuse").hasValue(2);
    }

    @Test
    void whatACancelClaimsTheApplicationNoLongerEnds() {
        cycle.begin(context);
        assertThat(cycle.claim()).isSameAs(context);
        assertThat(cycle.claim()).isNull();
        cycle.end(context, ended::incrementAndGet);
        assertThat(ended).hasValue(0);
        assertThat(cycle.release()).as("nor does the container").isFalse();
        assertThat(cycle.isOurs()).isTrue();
    }

    @Test
    void aRefusedEndLeavesTheCycleOpen() {
        cycle.begin(context);
        assertThatThrownBy(() -> cycle.end(context, () -> {
                    throw new IllegalArgumentException("no such path");
                }))
                .hasMessage("no such path");
        assertThat(cycle.claim()).isSameAs(context);
    }

    @Test
    void aNewCycleBeginsAfterADispatch() {
        cycle.begin(context);
        cycle.end(context, ended::incrementAndGet);
        AsyncContext second = context();
        cycle.begin(second);
        cycle.end(context, ended::incrementAndGet); // a late end of the first
        assertThat(cycle.claim()).isSameAs(second);
    }

    @Test
    void whatTheContainerEndsIsNotOurs() {
        cycle.begin(context);
        assertThat(cycle.isLeft()).isFalse();
        assertThat(cycle.release()).isTrue();
        assertThat(cycle.claim()).isNull();
        assertThat(cycle.isLeft()).as("to the container").isTrue();
    }

    @Test
    void aCompletionIsTheContainersToTellAndADispatchIsNot() {
        cycle.begin(context);
        cycle.end(context, ended::incrementAndGet);
        assertThat(cycle.isLeft()).isFalse();
        cycle.end(context, cycle::completed);
        assertThat(cycle.isLeft()).isTrue();
        assertThatThrownBy(() -> cycle.end(context, () -> {
                    throw new IllegalStateException("twice");
                }))
                .hasMessage("twice");
        assertThat(cycle.isLeft()).as("by the first").isTrue();
    }

    @Test
    void aListenerOfTheContainersTimeoutMayDispatch() {
        cycle.begin(context);
        cycle.release();
        cycle.end(context, ended::incrementAndGet);
        assertThat(cycle.isLeft()).isFalse();
        AsyncContext second = context();
        cycle.begin(second);
        assertThat(cycle.claim()).isSameAs(second);
    }

    private static AsyncContext context() {
        return (AsyncContext) Proxy.newProxyInstance(
                AsyncContext.class.getClassLoader(),
                new Class<?>[] {AsyncContext.class},
                (proxy, method, args) -> null);
    }
}
