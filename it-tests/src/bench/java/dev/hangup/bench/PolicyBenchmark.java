package dev.hangup.bench;

import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import dev.hangup.policy.Rule;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A request's rule among ten thousand endpoints and two windows, with the deadline in force: {@code mvn -Pbench}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PolicyBenchmark {
    private static final int ENDPOINTS = 10_000;

    private String document;
    private Policy policy;
    private String[] paths;
    private int next;

    /** As the unit test of its cost has it. */
    @Setup
    public void read() {
        StringBuilder yaml = new StringBuilder("""
                windows:
                  early: { minutes: 0-29 }
                  late: { minutes: 30-59 }
                deadlines:
                  endpoints:
                """);
        for (int i = 0; i < ENDPOINTS; i++) {
            yaml.append("    \"GET /api/v")
                    .append(i % 100)
                    .append("/thing")
                    .append(i)
                    .append("/{id}\": { normal: 3s, early: 4s }\n");
        }
        document = yaml.toString();
        policy = PolicyFile.parse("hangup.yaml", document).policy();
        paths = new String[1024];
        for (int i = 0; i < paths.length; i++) {
            int thing = i * 9 + 7;
            paths[i] = "/api/v" + thing % 100 + "/thing" + thing + (i % 4 == 0 ? "x/" : "/") + i;
        }
    }

    /** Three in four are named. */
    @Benchmark
    public long lookup() {
        Rule rule = policy.ruleFor("GET", paths[next++ & 1023]);
        return rule.deadline().toNanos();
    }

    /** From the text to the policy. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    public Policy load() {
        return PolicyFile.parse("hangup.yaml", document).policy();
    }
}
