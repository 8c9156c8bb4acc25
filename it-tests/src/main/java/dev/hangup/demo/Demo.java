package dev.hangup.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;

/** {@code mvn -Pdemo}: the same load on the same application, without Hangup and with it, held against the arithmetic. */
public final class Demo {
    /** Held, or its level would be forgotten. */
    private static final Logger LOG = Logger.getLogger("");

    private final Settings settings;
    private final Plan plan;
    private final PrintStream out;

    Demo(Settings settings, Plan plan, PrintStream out) {
        this.settings = settings;
        this.plan = plan;
        this.out = out;
    }

    /** Ends the JVM with exit code 2 if what was asked for is wrong, 1 if the demo fails; returns if it ran. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        LOG.setLevel(Level.WARNING);
        try {
            new Demo(Settings.of(System.getProperties()), Plan.FULL, System.out).run();
        } catch (Refusal e) {
            System.err.println(e.line());
            System.exit(e.exitCode());
        }
    }

    /**
     * Runs it all.
     *
     * @throws Refusal if it cannot run as asked, or here
     */
    Report run() throws IOException, InterruptedException {
        Scenario scenario = Scenario.at(settings.scale());
        // first, for a port in use is soon said
        try (ReportServer server = new ReportServer(settings.port(), scenario.workers());
                Database database = start(scenario)) {
            Ledger ledger = new Ledger();
            try (Applications applications = new Applications(scenario, ledger, database, settings.app())) {
                applications.addTo(server);
                server.start();
                out.println(scenario.describe());
                out.println("Metrics are at " + server.url("/metrics"));
                Report report = measure(new Run(scenario, settings.seed(), ledger, server, applications, out));
                write(report);
                if (settings.keep()) {
                    keep(server);
                }
                return report;
            }
        }
    }

    private Database start(Scenario scenario) {
        out.println("Starting PostgreSQL");
        try {
            int besidesThePools = 20;
            return Database.start(2 * scenario.pool() + besidesThePools);
        } catch (IllegalStateException e) {
            throw new Refusal(Refusal.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private Report measure(Run run) throws InterruptedException {
        run.wake(Applications.WITHOUT);
        run.wake(Applications.WITH);
        Map<String, Result> results = new LinkedHashMap<>();
        for (Phase phase : plan.phases(run.scenario().patience())) {
            results.put(phase.name(), run.phase(phase));
        }
        return new Report(
                run.scenario(),
                results,
                run.unownedSecondsOfOne(Applications.WITHOUT),
                run.unownedSecondsOfOne(Applications.WITH));
    }

    private void write(Report report) throws IOException {
        out.println();
        out.print(report);
        if (settings.json() != null) {
            Files.writeString(settings.json(), ReportJson.of(report));
        }
    }

    private void keep(ReportServer server) throws InterruptedException {
        out.println();
        out.println("The server stays up until Ctrl-C. Be an impatient caller:");
        for (String application : new String[] {Applications.WITHOUT, Applications.WITH}) {
            out.println("  curl -m 1 " + server.url(application + Applications.SLOW + "1"));
        }
        out.println("and see what became of the work: " + server.url("/metrics"));
        new CountDownLatch(1).await();
    }
}
