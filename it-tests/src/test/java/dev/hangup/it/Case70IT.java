package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.HalfClose;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uploads that are cut in the middle, and those that are slow. Scaled: megabytes in place of hundreds. */
@DisplayName("case 70: an upload is cut, or slow")
final class Case70IT {

    private static final int SIZE = 4_000_000;

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("POST /gone", Entry.of(Mode.CANCEL))
            .endpoint("POST /tolerated", Entry.of(Mode.CANCEL).halfClose(HalfClose.TOLERATE))
            .build();

    @TempDir
    private Path parts;

    private final Ledger ledger = new Ledger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    @ParameterizedTest(name = "{0} over {1}, {2}, by {3}")
    @CsvSource({
        "JETTY, PLAIN, /gone, FIN",
        "JETTY, PLAIN, /tolerated, FIN",
        "JETTY, PLAIN, /gone, RST",
        "TOMCAT, PLAIN, /gone, FIN",
        "TOMCAT, PLAIN, /tolerated, FIN",
        "TOMCAT, PLAIN, /gone, RST",
        "TOMCAT, NIO2, /gone, FIN"
    })
    void cutInTheMiddleFailsTheReadAndIsADeparture(ContainerKind kind, Wire wire, String path, String end)
            throws Exception {
        try (Hangup hangup = hangup();
                Container container = kind.start(site(hangup, wire, 0))) {
            RawClient client = RawClient.connect(container)
                    .send(RawClient.head("POST", path, "Content-Length: " + SIZE) + "\r\n")
                    .send(new byte[SIZE / 2]);
            await().untilAsserted(() -> assertThat(stored()).isEqualTo(SIZE / 2));
            if (end.equals("RST")) {
                client.rst();
            } else {
                client.close();
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(1));
            assertThat(ledger.cancelled(end.equals("RST") ? CancelReason.CALLER_RESET : CancelReason.CALLER_CLOSED))
                    .as("%s", ledger)
                    .isEqualTo(1);
            assertThat(failures).hasSize(1);
            assertThat(parts).isEmptyDirectory();
        }
    }

    /** The reader is slower than the caller, and the caller pauses: bytes wait, or none come, most of the time. */
    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "TOMCAT, PLAIN", "TOMCAT, NIO2"})
    void slowUploadArrivesWhole(ContainerKind kind, Wire wire) throws Exception {
        int size = 400_000;
        try (Hangup hangup = hangup();
                Container container = kind.start(site(hangup, wire, 20))) {
            Crowd.of(4, number -> {
                try (RawClient client = RawClient.connect(container)) {
                    client.send(RawClient.head("POST", "/gone", "Content-Length: " + size) + "\r\n");
                    for (int sent = 0; sent < size; sent += size / 10) {
                        client.send(new byte[size / 10]);
                        Thread.sleep(number % 2 == 0 ? 0 : 150);
                    }
                    assertThat(client.response().body()).isEqualTo(size + " bytes");
                }
            });
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(4));
            assertThat(ledger.departures()).as("%s", ledger).isZero();
            assertThat(failures).isEmpty();
        }
    }

    private void store(HttpServletRequest request, HttpServletResponse response, int pause)
            throws IOException, InterruptedException {
        Path part = Files.createTempFile(parts, "upload", ".part");
        try (InputStream body = request.getInputStream();
                var file = Files.newOutputStream(part)) {
            byte[] buffer = new byte[8192];
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                file.write(buffer, 0, n);
                Thread.sleep(pause);
            }
            file.flush();
            response.getOutputStream().print(Files.size(part) + " bytes");
        } catch (IOException e) {
            failures.add(e.toString());
            throw e;
        } finally {
            Files.delete(part);
        }
    }

    private long stored() throws IOException {
        try (var files = Files.list(parts)) {
            List<Path> found = files.toList();
            return found.isEmpty() ? 0 : Files.size(found.get(0));
        }
    }

    private Site site(Hangup hangup, Wire wire, int pause) {
        LambdaServlet store = new LambdaServlet((request, response) -> store(request, response, pause));
        return new Site()
                .wire(wire)
                .filter(new HangupFilter(hangup))
                .servlet("/gone", store)
                .servlet("/tolerated", store);
    }

    private Hangup hangup() {
        return Hangup.builder().policy(POLICY).listener(ledger).build();
    }
}
