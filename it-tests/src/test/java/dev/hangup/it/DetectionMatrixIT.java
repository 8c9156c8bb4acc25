package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.Unwatched;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every way to leave, over every protocol, from every kind of work on every container: each departure is seen, or its call is
 * counted as unwatched. What {@code docs/detection.md} says comes from here: {@code -Ddetection.docs=FILE} writes it.
 */
final class DetectionMatrixIT {

    /** Containers at once; the departures of one are one after the other. */
    private static final int PARALLEL = 4;

    /** What is missed is never seen; the table says how soon the others were. */
    private static final Duration SEEN_WITHIN = Duration.ofMinutes(1);

    /** Longer than it takes hundreds to arrive on a busy machine. */
    private static final Entry TASK = Entry.of(Mode.CANCEL).normal(Duration.ofMinutes(10));

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ofMillis(20)))
            .endpoint("GET /task/{id}", TASK)
            .endpoint("POST /task/{id}", TASK)
            .build();

    @Test
    void everyDepartureIsSeen() throws Exception {
        everyDepartureIsSeen(20);
    }

    @Test
    @Tag("soak")
    void everyDepartureOfHundredsIsSeen() throws Exception {
        everyDepartureIsSeen(200);
    }

    private static void everyDepartureIsSeen(int ofEach) throws Exception {
        DetectionTable table = new DetectionTable(ofEach);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (DetectionTable.Column column : DetectionTable.columns()) {
            tasks.add(() -> {
                try (Hall hall = new Hall(column, ofEach)) {
                    for (Exit exit : Exit.values()) {
                        if (exit.fits(column.wire())) {
                            table.add(column, exit, hall.empty(exit, ofEach));
                        }
                    }
                }
                return true;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(PARALLEL);
        try {
            for (Future<Boolean> done : threads.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
        System.out.println(table);
        table.keep();
        assertThat(table.missed()).as("departures that nobody has seen").isEmpty();
        if (DetectionTable.isLinux()) {
            assertThat(table.unwatched()).as("callers that were not watched").isEmpty();
        }
        assertThat(table.lackingInDocs())
                .as("rows that docs/detection.md does not have")
                .isEmpty();
    }

    /** One container, where all work lasts until its caller leaves. */
    private static final class Hall implements AutoCloseable, CallListener {
        private final DetectionTable.Column column;
        private final Map<String, CallScope> arrived = new ConcurrentHashMap<>();
        private final Map<CallScope, Unwatched> unwatched = new ConcurrentHashMap<>();
        private final Hangup hangup =
                Hangup.builder().policy(POLICY).listener(this).build();
        private final Container container;

        Hall(DetectionTable.Column column, int ofEach) {
            this.column = column;
            Site site = new Site()
                    .wire(column.wire())
                    .maxThreads(2 * ofEach + 20)
                    .filter(new HangupFilter(hangup))
                    .servlet("/task/*", new LambdaServlet(this::work))
                    .servlet("/next", new LambdaServlet((request, response) -> {}));
            if (column.work() == DetectionTable.Work.VIRTUAL) {
                site.virtualThreads();
            }
            container = column.container().start(site);
        }

        private void work(HttpServletRequest request, HttpServletResponse response) throws InterruptedException {
            if (column.work() == DetectionTable.Work.ASYNC) {
                request.startAsync().setTimeout(0);
            }
            arrived.put(request.getPathInfo().substring(1), Objects.requireNonNull(CallScope.current()));
            if (column.work() != DetectionTable.Work.ASYNC) {
                Thread.sleep(600_000);
            }
        }

        @Override
        public void unwatched(CallScope call, Unwatched cause) {
            unwatched.put(call, cause);
        }

        /** They come, are at work, and leave. */
        DetectionTable.Cell empty(Exit exit, int ofEach) throws Exception {
            arrived.clear();
            List<Exit.Party> parties = new ArrayList<>();
            try {
                for (int first = 0; first < ofEach; first += exit.atOnce()) {
                    List<String> paths = new ArrayList<>();
                    for (int id = first; id < first + exit.atOnce(); id++) {
                        paths.add("/task/" + id);
                    }
                    parties.add(exit.arrive(container, column.wire(), paths));
                }
                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() ->
                                assertThat(arrived).as("%s %s", column, exit).hasSize(ofEach));
                Thread.sleep(150); // longer than the grace: they are watched
                assertThat(arrived.values()).as("%s %s", column, exit).noneMatch(CallScope::isCancelled);
                return leave(exit, parties);
            } finally {
                for (Exit.Party party : parties) {
                    party.close();
                }
            }
        }

        private DetectionTable.Cell leave(Exit exit, List<Exit.Party> parties) throws Exception {
            DetectionTable.Cell cell = new DetectionTable.Cell();
            List<Long> leftAt = new ArrayList<>();
            for (Exit.Party party : parties) {
                leftAt.add(System.nanoTime());
                party.leave();
            }
            long until = System.nanoTime() + SEEN_WITHIN.toNanos();
            for (int id = 0; id < arrived.size(); id++) {
                CallScope call = Objects.requireNonNull(arrived.get(Integer.toString(id)));
                Unwatched cause = unwatched.get(call);
                while (cause == null && !call.isEnded() && System.nanoTime() < until) {
                    Thread.sleep(1);
                }
                if (cause != null) {
                    cell.unwatched(cause);
                    call.cancel();
                } else if (call.callerGoneAt() != 0 && call.isEnded()) {
                    cell.seen(call.callerGoneAt() - leftAt.get(id / exit.atOnce()));
                } else {
                    cell.missed(call.toString());
                    call.cancel();
                }
            }
            return cell;
        }

        @Override
        public void close() {
            container.close();
            hangup.close();
        }
    }
}
