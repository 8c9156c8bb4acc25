package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

final class EvictionBudgetTest {
    private final EvictionBudget budget = new EvictionBudget();

    @Test
    void isATenthOfThePoolPerSecond() {
        assertThat(taken(30, 100)).isEqualTo(3);
        await().until(() -> budget.take(30));
    }

    @Test
    void isOnePerSecondForASmallPool() {
        assertThat(taken(1, 100)).isEqualTo(1);
    }

    @Test
    void hasNoEndWhereNobodyKnowsTheSize() {
        assertThat(taken(-1, 100)).isEqualTo(100);
    }

    private int taken(int size, int tries) {
        int taken = 0;
        for (int i = 0; i < tries; i++) {
            taken += budget.take(size) ? 1 : 0;
        }
        return taken;
    }
}
