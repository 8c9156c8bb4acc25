package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallListener;
import dev.hangup.call.EndpointView;
import dev.hangup.call.Pool;
import dev.hangup.call.TransactionOutcome;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListenersTest {
    @Test
    void everyEventIsPassedOn() throws NoSuchMethodException {
        for (Method event : CallListener.class.getDeclaredMethods()) {
            if (!Modifier.isStatic(event.getModifiers()) && !event.isSynthetic()) {
                assertThat(Listeners.class
                                .getMethod(event.getName(), event.getParameterTypes())
                                .getDeclaringClass())
                        .as(event.getName())
                        .isEqualTo(Listeners.class);
            }
        }
    }

    @Test
    void oneThatFailsKeepsNobodyElseFromHearing() {
        List<String> heard = new ArrayList<>();
        CallListener failing = new CallListener() {
            @Override
            public void policyLoaded(double epochSeconds) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void endpointKnown(EndpointView endpoint) {
                throw new NoClassDefFoundError("on purpose");
            }
        };
        CallListener hearing = new CallListener() {
            @Override
            public void policyLoaded(double epochSeconds) {
                heard.add("loaded " + epochSeconds);
            }

            @Override
            public void transaction(Pool pool, TransactionOutcome outcome) {
                heard.add(outcome.name());
            }
        };
        Listeners all = Listeners.of(List.of(failing, hearing));
        all.policyLoaded(1.5);
        assertThat(heard).containsExactly("loaded 1.5");
    }
}
