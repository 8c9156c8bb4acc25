package dev.hangup.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.watch.KernelTable.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the table is read, for whom, and on which thread. */
final class ScansTest {

    private final Table table = new Table();
    private final Watcher watcher = new Watcher(List.of(), new WatchHost() {
        @Override
        public Duration grace() {
            return Duration.ZERO;
        }

        @Override
        public KernelTable kernel() {
            return table;
        }
    });

    @AfterEach
    void close() {
        watcher.close();
    }

    @Test
    void oneReadingAnswersAllWhoAskAndTheNextComesAfterAPause() {
        watcher.start();
        List<Question> questions = new ArrayList<>();
        for (int port = 1; port <= 500; port++) {
            Question question = new Question(port, 3);
            questions.add(question);
            watcher.command(question::ask);
        }
        await().untilAsserted(() ->
                questions.forEach(question -> assertThat(question.answers).hasSize(3)));
        // The first to ask may have a reading of its own.
        assertThat(table.readings).hasSizeBetween(3, 4);
        for (int i = 1; i < table.readings.size(); i++) {
            Duration pause = Duration.ofNanos(table.readings.get(i) - table.readings.get(i - 1));
            // From begin to begin; the table hears of each a moment later.
            assertThat(pause).isGreaterThan(Scans.PAUSE.minusMillis(50));
        }
        assertThat(table.threads).containsOnly("hangup-sockets");
    }

    @Test
    void nothingIsReadAndNoThreadLivesWhileNobodyAsks() {
        watcher.start();
        Question question = new Question(1, 1);
        watcher.command(question::ask);
        await().until(() -> !question.answers.isEmpty());
        await().during(Duration.ofSeconds(1)).until(() -> table.readings.size() == 1);
        await().until(() -> threads().isEmpty());
        Question another = new Question(2, 1);
        watcher.command(another::ask);
        await().until(() -> !another.answers.isEmpty());
    }

    @Test
    void whoWithdrawsIsNotReadFor() {
        watcher.start();
        Question first = new Question(1, 1);
        watcher.command(first::ask);
        await().until(() -> !first.answers.isEmpty());
        Question withdrawn = new Question(2, 1);
        watcher.command(withdrawn::ask);
        watcher.command(() -> scans().withdraw(withdrawn));
        await().during(Duration.ofMillis(600)).until(() -> table.readings.size() == 1);
        assertThat(withdrawn.answers).isEmpty();
    }

    @Test
    void slowReadingDoesNotHoldUpTheWatcher() {
        table.duration = Duration.ofMillis(1500);
        watcher.start();
        Question question = new Question(1, 1);
        watcher.command(question::ask);
        List<Long> beats = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 20; i++) {
            watcher.at(System.nanoTime() + Duration.ofMillis(50L * i).toNanos(), () -> beats.add(System.nanoTime()));
        }
        await().until(() -> beats.size() == 20);
        assertThat(question.answers).isEmpty();
        await().until(() -> !question.answers.isEmpty());
        assertThat(watcher.longestRound()).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void expensiveReadingsComeLessOften() {
        table.duration = Duration.ofMillis(100);
        watcher.start();
        watcher.command(new Question(1, 4)::ask);
        await().until(() -> table.readings.size() == 3);
        assertThat(Duration.ofNanos(table.readings.get(2) - table.readings.get(1)))
                .isGreaterThanOrEqualTo(Duration.ofMillis(600));
    }

    @Test
    void closeEndsAReadingAndItsThread() {
        table.duration = Duration.ofMinutes(1);
        watcher.start();
        watcher.command(new Question(1, 1)::ask);
        await().until(() -> table.readings.size() == 1);
        watcher.close();
        assertThat(threads()).isEmpty();
    }

    @Test
    void tableThatCannotBeReadAnswersNothing() {
        table.failure = new IOException("no descriptors");
        watcher.start();
        Question question = new Question(1, 3);
        watcher.command(question::ask);
        await().until(() -> question.answers.size() == 3);
        assertThat(question.answers).containsOnly("null");
    }

    private Scans scans() {
        return Objects.requireNonNull(watcher.scans());
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.equals("hangup-sockets"))
                .toList();
    }

    /** Says that everybody is there, after a while. */
    private static final class Table implements KernelTable {
        private final List<Long> readings = new CopyOnWriteArrayList<>();
        private final List<String> threads = new CopyOnWriteArrayList<>();
        private volatile Duration duration = Duration.ZERO;
        private volatile @Nullable IOException failure;

        @Override
        public Map<Route, State> states(Set<Route> routes) throws IOException {
            readings.add(System.nanoTime());
            threads.add(Thread.currentThread().getName());
            IOException fails = failure;
            if (fails != null) {
                throw fails;
            }
            try {
                Thread.sleep(duration.toMillis());
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            Map<Route, State> states = new HashMap<>();
            routes.forEach(route -> states.put(route, State.ESTABLISHED));
            return states;
        }
    }

    private final class Question implements Scans.Question {
        private final Route route;
        private final int times;
        private final Queue<String> answers = new ConcurrentLinkedQueue<>();

        /** @param times how often it is asked in all */
        Question(int port, int times) {
            InetSocketAddress end = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            this.route = new Route(end, end);
            this.times = times;
        }

        void ask() {
            scans().ask(this);
        }

        @Override
        public Route route() {
            return route;
        }

        @Override
        public void answered(@Nullable State state) {
            answers.add(String.valueOf(state));
            if (answers.size() < times) {
                ask();
            }
        }
    }
}
