package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CallerAware;
import jakarta.servlet.http.HttpServlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** What is said of annotated servlets: nobody's work is cancelled without a line that names the endpoint. */
final class AnnouncementIT {

    @CallerAware
    private static final class Cancelled extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @CallerAware(onCallerGone = CallerAware.Reaction.OBSERVE)
    private static final class Observed extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    private static Site site() {
        return new Site()
                .servlet("/slow/*", new Cancelled())
                .servlet("/exact", new Cancelled())
                .servlet("/observed", new Observed())
                .servlet("/plain", new LambdaServlet((request, response) -> response.setStatus(204)));
    }

    @EachContainer
    void theStartLineNamesThem(ContainerKind kind) throws Exception {
        try (Logged logged = Logged.begin();
                Container container = kind.start(site().filter(new HangupFilter()))) {
            assertThat(RawClient.ask(container, "/plain").status()).isEqualTo(204);
            assertThat(logged.ours())
                    .filteredOn(line -> line.contains("cancel"))
                    .singleElement()
                    .asString()
                    .startsWith("Hangup watches over this application: mode observe, half-close gone, deadline 30s,"
                            + " cancels nothing; annotated servlets that cancel: /exact, /slow/*; wrapped pools ");
        }
    }

    @EachContainer
    void nothingIsSaidWhereNoneCancels(ContainerKind kind) throws Exception {
        Site site = new Site().servlet("/observed", new Observed()).filter(new HangupFilter());
        try (Logged logged = Logged.begin();
                Container container = kind.start(site)) {
            assertThat(container.port()).isPositive();
            assertThat(logged.ours()).noneMatch(line -> line.contains("annotated"));
        }
    }

    /** It has said its line before anybody knew of servlets. */
    @EachContainer
    void anEngineThatWasThereBeforeHasALineMoreAndAWarningIfTheFileChangesThem(ContainerKind kind, @TempDir Path dir)
            throws Exception {
        Path file = Files.writeString(dir.resolve("hangup.yaml"), "");
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policyFile(file).build();
                Container container = kind.start(site().filter(new HangupFilter(hangup)))) {
            assertThat(container.port()).isPositive();
            String first = "annotated servlets that cancel: /exact, /slow/*";
            assertThat(logged.ours()).contains(first);
            Files.writeString(file, "deadlines: { endpoints: { \"GET /exact\": { mode: observe, normal: 7s } } }");
            await().atMost(Duration.ofSeconds(20)).until(() -> said(logged).size() > 1);
            String second =
                    "annotated servlets that cancel: /slow/*, DELETE /exact, PATCH /exact, POST /exact, PUT /exact";
            assertThat(said(logged)).containsExactly(first, second);
            assertThat(logged.alarms()).containsExactly("WARNING dev.hangup: " + second);
        }
    }

    private static List<String> said(Logged logged) {
        return logged.ours().stream()
                .filter(line -> line.startsWith("annotated"))
                .toList();
    }
}
