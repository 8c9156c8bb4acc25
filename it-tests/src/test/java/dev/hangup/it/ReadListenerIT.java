package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A read listener that finds what it was sent too short: the exception looks like a caller's end, and is the application's own. */
final class ReadListenerIT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("POST /numbers", Entry.of(Mode.CANCEL))
            .build();

    private final Ledger ledger = new Ledger();
    private final Queue<Throwable> told = new ConcurrentLinkedQueue<>();

    @EachContainer
    void ownEndOfFileIsNoDepartureAndTheCallersIs(ContainerKind kind) throws Exception {
        try (Silence silence = Silence.ofContainers();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/numbers", new LambdaServlet(this::readNumbers)))) {
            try (RawClient staying = RawClient.connect(container)) {
                staying.post("/numbers", new byte[] {1, 2});
                if (kind == ContainerKind.JETTY) {
                    assertThat(staying.response().status()).isEqualTo(400);
                } else { // Tomcat ends the connection, whoever watches
                    assertThat(staying.endsWithin(Duration.ofSeconds(5))).isTrue();
                }
                await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(1));
                assertThat(told).singleElement().isExactlyInstanceOf(EOFException.class);
                assertThat(ledger.departures()).as("%s", ledger).isZero();
                assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(1);
            }

            RawClient leaving = RawClient.connect(container);
            leaving.send(RawClient.head("POST", "/numbers", "Content-Length: 400") + "\r\n" + "four");
            Thread.sleep(100);
            leaving.close();
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(2));
            assertThat(ledger.departures()).as("%s", ledger).isEqualTo(1);
        }
    }

    private void readNumbers(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        ServletInputStream in = request.getInputStream();
        in.setReadListener(new ReadListener() {
            @Override
            public void onDataAvailable() throws IOException {
                byte[] buffer = new byte[4];
                while (in.isReady()) {
                    int length = in.read(buffer);
                    if (length < 0) {
                        return;
                    }
                    new DataInputStream(new ByteArrayInputStream(buffer, 0, length)).readInt();
                }
            }

            @Override
            public void onAllDataRead() {
                async.complete();
            }

            @Override
            public void onError(Throwable failure) {
                told.add(failure);
                response.setStatus(400);
                async.complete();
            }
        });
    }
}
