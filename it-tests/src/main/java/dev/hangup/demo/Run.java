package dev.hangup.demo;

import dev.hangup.demo.Arrivals.Arrival;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Runs phases, one after the other, each on an idle server, and says how they go. */
final class Run {
    private static final int PROBES = 3;
    private static final Duration WAKING = Duration.ofMillis(1200);

    private final Scenario scenario;
    private final long seed;
    private final Ledger ledger;
    private final ReportServer server;
    private final Applications applications;
    private final PrintStream out;

    Run(Scenario scenario, long seed, Ledger ledger, ReportServer server, Applications applications, PrintStream out) {
        this.scenario = scenario;
        this.seed = seed;
        this.ledger = ledger;
        this.server = server;
        this.applications = applications;
        this.out = out;
    }

    Scenario scenario() {
        return scenario;
    }

    /** Lets classes load and connections open, so that the first phase is not slower than the others. */
    void wake(String application) throws InterruptedException {
        List<Arrival> arrivals = Arrivals.poisson(seed, Scenario.REQUESTS_PER_SECOND, 0, WAKING);
        awaitQuiet(call(application, Applications.SLOW, 1, arrivals));
    }

    Result phase(Phase phase) throws InterruptedException {
        List<Arrival> arrivals =
                Arrivals.poisson(seed, Scenario.REQUESTS_PER_SECOND, phase.slowShare(), phase.length());
        Reading before = applications.metrics();
        long start = Attempt.now();
        FutureTask<Void> callers = call(phase.application(), phase.slowPath(), phase.attempts(), arrivals);
        pause(phase, start, phase.warmUp());
        long from = Attempt.now();
        Reading atFrom = applications.metrics();
        pause(phase, start, phase.length());
        long to = Attempt.now();
        Reading atTo = applications.metrics();
        awaitQuiet(callers);
        Window steady = new Window(from, to);
        Window whole = new Window(start, Attempt.now());
        return new Result(
                phase,
                steady,
                ledger.figures(steady, scenario.pool()),
                atTo.minus(atFrom),
                ledger.figures(whole, scenario.pool()),
                applications.metrics().minus(before));
    }

    /** Seconds of unowned work that one slow request adds by all its attempts, on a server with nothing else to do. */
    double unownedSecondsOfOne(String application) throws InterruptedException {
        long start = Attempt.now();
        awaitQuiet(call(application, Applications.SLOW, Scenario.ATTEMPTS, Arrivals.together(PROBES)));
        return ledger.figures(new Window(start, Attempt.now()), scenario.pool()).unownedSeconds() / PROBES;
    }

    private FutureTask<Void> call(String application, String slowPath, int attempts, List<Arrival> arrivals) {
        ledger.clear();
        Load load = new Load(application + slowPath, application + Applications.FAST, scenario.patience(), attempts);
        FutureTask<Void> callers = new FutureTask<>(new Callers(ledger, server.address(), load, arrivals), null);
        Thread thread = new Thread(callers, "demo-callers");
        thread.setDaemon(true);
        thread.start();
        return callers;
    }

    /** Waits until so much time has passed since the start, and prints now and then what happens. */
    private void pause(Phase phase, long start, Duration length) throws InterruptedException {
        Duration tick = scenario.patience().multipliedBy(8);
        while (true) {
            long now = Attempt.now();
            long left = start + length.toNanos() - now;
            if (left <= 0) {
                return;
            }
            long untilTick = tick.toNanos() - (now - start) % tick.toNanos();
            TimeUnit.NANOSECONDS.sleep(Math.min(left, untilTick));
            if (untilTick <= left) {
                print(phase, start, tick);
            }
        }
    }

    private void print(Phase phase, long start, Duration tick) {
        long now = Attempt.now();
        // who called later may still be served
        long to = now - scenario.patience().toNanos();
        Figures latest = ledger.figures(new Window(Math.max(start, to - tick.toNanos()), to), scenario.pool());
        out.printf(
                Locale.ROOT,
                "%-14s %4.0f of %.0f s: %5.1f calls work for nobody, %3.0f %% of the pool; %3.0f %% of the fast are served%n",
                phase.name(),
                (now - start) / 1e9,
                Arithmetic.seconds(phase.length()),
                latest.unownedInFlight(),
                100 * latest.poolShare(),
                100 * latest.servedInTimeShare());
    }

    /** Waits until the callers have left and the work they left behind is over. */
    private void awaitQuiet(FutureTask<Void> callers) throws InterruptedException {
        try {
            callers.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the callers failed: " + e.getCause(), e);
        }
        long quietSince = Attempt.now();
        // a request may still be on its way into the server
        while (Attempt.now() - quietSince < scenario.patience().toNanos() / 2) {
            TimeUnit.MILLISECONDS.sleep(10);
            if (ledger.working()) {
                quietSince = Attempt.now();
            }
        }
    }
}
