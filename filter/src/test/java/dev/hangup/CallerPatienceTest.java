package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.Arrival;
import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.EndpointView;
import dev.hangup.call.Treatment;
import dev.hangup.policy.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of an endpoint's deadline beside its callers' patience: each verdict once, however often it comes back. */
final class CallerPatienceTest implements CallRuntime {
    private static final String SLOW = "GET /slow";
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final int THREADS = 4;

    private final CallerPatience patience = new CallerPatience();
    private final Logger logger = Logger.getLogger("dev.hangup");
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            said.add(entry.getLevel() + " " + entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private record View(String endpoint, Duration deadline, boolean cancels) implements EndpointView {}

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void aVerdictThatComesBackIsNoNews() {
        know(SLOW, true);
        for (int i = 0; i < 1_000; i++) {
            declare(SLOW, Duration.ofSeconds(60));
            assertThat(verdict()).isEqualTo(Verdict.WAITS_FOR_KILLED);
            declare(SLOW, Duration.ofSeconds(5));
            assertThat(verdict()).isEqualTo(Verdict.STABLE);
        }
        assertThat(said).singleElement().asString().startsWith("INFO GET /slow: deadline 30s, callers wait ");
    }

    @Test
    void eachVerdictIs() {
        know(SLOW, false);
        for (int i = 0; i < 100; i++) {
            declare(SLOW, Duration.ofSeconds(60));
            declare(SLOW, Duration.ofSeconds(5));
            declare(SLOW, DEADLINE);
        }
        assertThat(said)
                .hasSize(3)
                .anyMatch(line -> line.contains(Verdict.WAITS_FOR_KILLED.advice()))
                .anyMatch(line -> line.contains(Verdict.WORKS_FOR_NOBODY.advice()))
                .anyMatch(line -> line.contains(Verdict.NO_HEADROOM.advice()));
    }

    /** Callers who get answers and callers who get none take turns. */
    @Test
    void norIsOneThatDeparturesTakeBack() {
        know(SLOW, true);
        for (int i = 0; i < 50; i++) {
            for (int times = 0; times < 2 * Patience.IN_VAIN; times++) {
                leave();
            }
            assertThat(verdict()).isEqualTo(Verdict.UNREACHABLE);
            declare(SLOW, Duration.ofSeconds(5)); // and is answered
            assertThat(verdict()).isEqualTo(Verdict.STABLE);
        }
        assertThat(said).singleElement().asString().contains(Verdict.UNREACHABLE.advice());
    }

    @Test
    void theSameOfAnotherEndpointIsNews() {
        know(SLOW, true);
        know("GET /other", true);
        for (int i = 0; i < 10; i++) {
            declare(SLOW, Duration.ofSeconds(60));
            declare("GET /other", Duration.ofSeconds(60));
        }
        assertThat(said).hasSize(2).anyMatch(line -> line.contains("GET /other"));
    }

    /** The race: threads come to the same verdict at the same moment. */
    @Test
    void oneOfSeveralThreadsSaysIt() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier together = new CyclicBarrier(THREADS);
            List<Future<?>> all = new CopyOnWriteArrayList<>();
            for (int i = 0; i < CallerPatience.MOST; i++) {
                know("GET /" + i, true);
            }
            for (int thread = 0; thread < THREADS; thread++) {
                all.add(threads.submit(() -> {
                    for (int i = 0; i < CallerPatience.MOST; i++) {
                        together.await();
                        declare("GET /" + i, Duration.ofSeconds(60));
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(said).hasSize(CallerPatience.MOST).doesNotHaveDuplicates();
        } finally {
            threads.shutdownNow();
        }
    }

    private Verdict verdict() {
        return patience.readings().get(0).verdict();
    }

    private void know(String endpoint, boolean cancels) {
        patience.endpointKnown(new View(endpoint, DEADLINE, cancels));
    }

    private void declare(String endpoint, Duration span) {
        end(begin(endpoint, new Arrival(Duration.ZERO, span)));
    }

    /** Without an answer, at once. */
    private void leave() {
        CallScope call = begin(SLOW, Arrival.NOW);
        call.callerGone(CancelReason.CALLER_CLOSED);
        end(call);
    }

    private CallScope begin(String endpoint, Arrival arrival) {
        Treatment treatment = new Treatment(true, false, true, true, NEVER, NEVER);
        return CallScope.begin(this, "GET", endpoint, treatment, DEADLINE, arrival, false, null, null);
    }

    private static void end(CallScope call) {
        call.leave();
        call.responseOver();
    }

    @Override
    public Executor canceller() {
        return Runnable::run;
    }

    @Override
    public void at(long nanoTime, Runnable task) {}

    @Override
    public CallListener listener() {
        return patience;
    }

    @Override
    public void began(CallScope call) {}
}
