package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PaceTest {

    private static final int ENDPOINTS = 2_000;

    /** How often this thread has waited so far: a pause is once. */
    private static long waits() {
        return ManagementFactory.getThreadMXBean()
                .getThreadInfo(Thread.currentThread().getId())
                .getWaitedCount();
    }

    private static PolicyFile file() {
        StringBuilder yaml = new StringBuilder("deadlines:\n  endpoints:\n");
        for (int i = 0; i < ENDPOINTS; i++) {
            yaml.append("    GET /thing").append(i).append("/{id}: { normal: 7s }\n");
        }
        return PolicyFile.parse("hangup.yaml", yaml.toString());
    }

    @Test
    void anApplicationThatStartsDoesNotPause() {
        long before = waits();
        assertThat(file().policy().rules()).hasSize(ENDPOINTS);
        assertThat(waits()).isEqualTo(before);
    }

    @Test
    void aGentleReadingPausesAndMakesTheSamePolicy() {
        long before = waits();
        Policy policy = file().policyGently();
        assertThat(waits()).isGreaterThan(before + 10);
        assertThat(policy.rules()).hasSize(ENDPOINTS);
        assertThat(policy.ruleFor("GET", "/thing1999/x").deadline()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void allPausesTogetherAreBounded() {
        Pace pace = Pace.gentle();
        long enough = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        long before = -1;
        for (long now = waits(); now != before && System.nanoTime() < enough; now = waits()) {
            before = now;
            work(pace, Duration.ofMillis(50));
        }
        assertThat(waits()).isEqualTo(before).isGreaterThan(10);
    }

    private static void work(Pace pace, Duration length) {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            pace.step();
        }
    }
}
