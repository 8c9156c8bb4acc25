package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One worker serves them all, on connections that are kept, so that whatever a cancel leaves on its thread is met by the next
 * request; and what somebody else has left there is none of ours.
 */
final class InterruptHygieneIT {

    private static final int SOME = 2_000;
    private static final int MANY = 100_000;
    /** Sent in one segment: the container's thread goes from one to the next without a pool in between that would clear its flag. */
    private static final int AT_ONCE = 10;
    /** Most microseconds of work, and most until the cancel. */
    private static final int MOST = 300;

    private static final int STEP = 20;
    private static final int MOST_LAG = 5_000;

    private static final Policy POLICY =
            Policy.builder().endpoint("GET /race", Entry.of(Mode.CANCEL)).build();

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "JETTY, H2C", "TOMCAT, PLAIN", "TOMCAT, H2C"})
    void nextRequestNeverBeginsInterrupted(ContainerKind kind, Wire wire) throws Exception {
        race(kind, new Site().wire(wire), SOME);
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "JETTY, H2C", "TOMCAT, PLAIN", "TOMCAT, H2C"})
    @Tag("soak")
    void nextRequestNeverBeginsInterruptedOfManyThousands(ContainerKind kind, Wire wire) throws Exception {
        race(kind, new Site().wire(wire), MANY);
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "JETTY, H2C", "TOMCAT, PLAIN", "TOMCAT, H2C"})
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
    void nextRequestNeverBeginsInterruptedOnAVirtualThread(ContainerKind kind, Wire wire) throws Exception {
        race(kind, new Site().wire(wire).virtualThreads(), SOME);
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "JETTY, H2C", "TOMCAT, PLAIN", "TOMCAT, H2C"})
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
    @Tag("soak")
    void nextRequestNeverBeginsInterruptedOfManyThousandsOnVirtualThreads(ContainerKind kind, Wire wire)
            throws Exception {
        race(kind, new Site().wire(wire).virtualThreads(), MANY);
    }

    private static void race(ContainerKind kind, Site site, int requests) throws Exception {
        Random random = Seed.random(kind + " over " + site.wire() + ", " + requests + " races");
        Ledger ledger = new Ledger();
        Flags flags = new Flags();
        AtomicInteger interrupted = new AtomicInteger();
        ThreadPoolExecutor cancelling = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            CallScope call = Objects.requireNonNull(CallScope.current());
            String[] micros = request.getQueryString().split("[.]", 3);
            cancelling.execute(() -> {
                spin(Integer.parseInt(micros[0]));
                call.cancel(CancelReason.ENDPOINT_DEADLINE);
            });
            spin(Integer.parseInt(micros[1]));
            if (Thread.currentThread().isInterrupted() && !Flags.isForeign(request)) {
                interrupted.incrementAndGet();
            }
            response.getWriter().print("ended by itself");
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.maxThreads(1)
                        .filter(flags)
                        .filter(new HangupFilter(hangup))
                        .servlet("/race", servlet));
                KeptConnection caller = new KeptConnection(container, site.wire())) {
            int whole = 0;
            int lag = 0;
            for (int sent = 0; sent < requests; sent += AT_ONCE) {
                List<String> paths = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    paths.add("/race?" + random.nextInt(MOST) + "." + (lag + random.nextInt(MOST)) + "."
                            + (random.nextInt(4) == 0 ? Flags.FOREIGN : "own"));
                }
                List<Integer> statuses = caller.statuses(paths);
                assertThat(statuses).hasSize(AT_ONCE).isSubsetOf(200, 504);
                int won =
                        (int) statuses.stream().filter(status -> status == 200).count();
                whole += won;
                // On a busy machine the cancelling thread comes late: the work waits for it, so that both win at times.
                lag = Math.max(0, Math.min(lag + (2 * won - AT_ONCE) * STEP, MOST_LAG));
            }
            assertThat(flags.leaked).hasValue(0);
            assertThat(flags.lost).hasValue(0);
            assertThat(flags.kept.get()).isBetween(requests / 5, requests / 3);
            assertThat(whole).as("%s", ledger).isBetween(requests / 20, requests - requests / 20);
            assertThat(interrupted.get()).as("interrupted at work").isPositive();
            // A cancel that has won is told of by its own thread, which may come after the end.
            await().untilAsserted(() -> {
                assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(ledger.cancelled(CancelReason.ENDPOINT_DEADLINE));
                assertThat(ledger.ended()).isEqualTo(requests);
            });
            assertThat(logged.alarms()).allMatch(line -> line.contains("no caller was ever seen leaving")); // none did
        } finally {
            cancelling.shutdownNow();
        }
    }

    private static void spin(int micros) {
        long until = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    /** Outside Hangup's filter: looks at the flag as a request comes and goes, and sets it for some in somebody else's name. */
    private static final class Flags implements Filter {

        static final String FOREIGN = "foreign";

        /** Flags that a request has left, or brought along. */
        final AtomicInteger leaked = new AtomicInteger();

        final AtomicInteger kept = new AtomicInteger();
        final AtomicInteger lost = new AtomicInteger();

        static boolean isForeign(HttpServletRequest request) {
            return request.getQueryString().endsWith(FOREIGN);
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            boolean foreign = isForeign((HttpServletRequest) request);
            leaked.addAndGet(Thread.interrupted() ? 1 : 0);
            if (foreign) {
                Thread.currentThread().interrupt();
            }
            chain.doFilter(request, response);
            boolean left = Thread.interrupted();
            if (foreign) {
                (left ? kept : lost).incrementAndGet();
            } else {
                leaked.addAndGet(left ? 1 : 0);
            }
        }
    }
}
