package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a policy costs: nothing on the heap for a request, and a bearable time for a large file. */
final class PolicyCostTest {

    private static final int ENDPOINTS = 10_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void aLookupAllocatesNothing() {
        Policy policy = PolicyFile.parse("hangup.yaml", document(200)).policy();
        String[] paths = {
            "/", "/index.html", "/api/v1/thing1", "/api/v1/thing101x/7", "/api/v1/thing101/7", "/x-1/y.z", "*"
        };
        String[] methods = {"GET", "HEAD", "POST", "BREW"};
        Supplier<Integer> lookups = () -> {
            int named = 0;
            for (int i = 0; i < 20_000; i++) {
                Rule rule = policy.ruleFor(methods[i % methods.length], paths[i % paths.length]);
                named += rule.named()
                                && !rule.deadline().isZero()
                                && rule.treatment().cancels()
                        ? 1
                        : 0;
            }
            return named;
        };
        // The loop itself boxes its result; one object at each lookup would be 320,000 bytes.
        assertThat(allocated(lookups)).isLessThan(2_000);
    }

    @Test
    void aLookupAmongManyIsShort() {
        Policy policy = PolicyFile.parse("hangup.yaml", document(ENDPOINTS)).policy();
        String[] paths = {"/index.html", "/api/v77/thing4077/abc", "/api/v77/thing4077x/abc"};
        Supplier<Integer> lookups = () -> {
            int named = 0;
            for (int i = 0; i < 30_000; i++) {
                named += policy.ruleFor("GET", paths[i % paths.length]).named() ? 1 : 0;
            }
            return named;
        };
        assertThat(bestOf(20, lookups, 10_000) / 30_000).as("nanoseconds").isLessThan(1_000);
    }

    @Test
    void tenThousandEndpointsLoadInASecond() {
        String document = document(ENDPOINTS);
        Supplier<Integer> load = () -> {
            Policy policy = PolicyFile.parse("hangup.yaml", document).policy();
            assertThat(policy.ruleFor("GET", "/api/v77/thing4077/abc").endpoint())
                    .isEqualTo("GET /api/v77/thing4077/{id}");
            return policy.rules().size();
        };
        assertThat(bestOf(3, load, ENDPOINTS) / 1_000_000).as("milliseconds").isLessThan(1_000);
    }

    /** Nanoseconds of this thread's own processor time: what else the machine does meanwhile does not count. */
    private static long bestOf(int rounds, Supplier<Integer> work, int expected) {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            long begin = THREADS.getCurrentThreadCpuTime();
            int result = work.get();
            best = Math.min(best, THREADS.getCurrentThreadCpuTime() - begin);
            assertThat(result).isEqualTo(expected);
        }
        return best;
    }

    private static long allocated(Supplier<Integer> work) {
        int warm = work.get();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        int named = work.get();
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        assertThat(named).isEqualTo(warm).isPositive();
        return bytes;
    }

    private static String document(int endpoints) {
        StringBuilder yaml = new StringBuilder("deadlines:\n  endpoints:\n");
        yaml.append("    \"GET /x-{a}/{b}.z\": { mode: cancel }\n");
        for (int i = 1; i < endpoints; i++) {
            String endpoint = "GET /api/v" + i % 100 + "/thing" + i + "/{id}";
            yaml.append("    \"").append(endpoint).append("\": { mode: cancel, normal: 3s }\n");
        }
        return yaml.toString();
    }
}
