package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.Filter;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One worker serves them all, so that whatever a cancel leaves on its thread is met by the next request. */
final class InterruptHygieneIT {

    private static final int REQUESTS = 5_000;
    /** Tomcat closes a connection after 100. */
    private static final int PER_CONNECTION = 90;

    private static final long SEED = 33;

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /race", Entry.of(Mode.CANCEL))
            .endpoint("GET /foreign", Entry.of(Mode.CANCEL))
            .build();

    @EachContainer
    void nextRequestNeverBeginsInterrupted(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        AtomicInteger leaked = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        Filter before = (request, response, chain) -> {
            if (Thread.currentThread().isInterrupted()) {
                leaked.incrementAndGet();
            }
            chain.doFilter(request, response);
            if (Thread.currentThread().isInterrupted()) {
                leaked.incrementAndGet();
            }
        };
        ThreadPoolExecutor cancelling = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        Random random = new Random(SEED);
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            Call call = Call.current();
            int work = random.nextInt(300);
            int patience = random.nextInt(300);
            cancelling.execute(() -> {
                spin(patience);
                call.cancel();
            });
            spin(work);
            if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
            }
            response.getWriter().print("ended by itself");
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .maxThreads(1)
                        .filter(before)
                        .filter(new HangupFilter(hangup))
                        .servlet("/race", servlet))) {
            int whole = 0;
            RawClient client = RawClient.connect(container);
            for (int i = 1; i <= REQUESTS; i++) {
                RawResponse response = client.get("/race").response();
                assertThat(response.status()).isIn(200, 503);
                whole += response.status() == 200 ? 1 : 0;
                if (response.status() == 503 || i % PER_CONNECTION == 0) {
                    client.close(); // Tomcat does it after a 503
                    client = RawClient.connect(container);
                }
            }
            client.close();
            assertThat(leaked).hasValue(0);
            assertThat(whole).as("%s", ledger).isBetween(REQUESTS / 20, REQUESTS - REQUESTS / 20);
            assertThat(interrupted.get()).as("interrupted at work").isPositive();
            // A cancel that has won is told of by its own thread, which may come after the end.
            await().untilAsserted(() -> {
                assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(ledger.cancelled(CancelReason.MANUAL));
                assertThat(ledger.ended()).isEqualTo(REQUESTS);
            });
            logged.assertNoAlarms();
        } finally {
            cancelling.shutdownNow();
        }
    }

    /** Somebody else's interrupt, set before us, is there after us: with a cancel or without. */
    @EachContainer
    void foreignInterruptSurvives(ContainerKind kind) throws Exception {
        AtomicInteger kept = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        Filter before = (request, response, chain) -> {
            Thread.currentThread().interrupt();
            chain.doFilter(request, response);
            kept.addAndGet(Thread.interrupted() ? 1 : 0);
        };
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            seen.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
            if (request.getQueryString() != null) {
                Call.current().cancel();
                spin(2_000); // the canceller comes and finds it interrupted already
            }
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container = kind.start(new Site()
                        .maxThreads(1)
                        .filter(before)
                        .filter(new HangupFilter(hangup))
                        .servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get("/observed").response().status()).isEqualTo(200);
            assertThat(client.get("/foreign").response().status()).isEqualTo(200);
            assertThat(client.get("/foreign?cancel").response().status()).isEqualTo(503);
            assertThat(seen).hasValue(3);
            await().untilAsserted(() -> assertThat(kept).hasValue(3));
        }
    }

    private static void spin(int micros) {
        long until = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }
}
