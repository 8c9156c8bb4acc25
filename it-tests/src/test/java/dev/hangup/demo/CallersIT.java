package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.demo.Arrivals.Arrival;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What callers do and book, at a server that answers as it is told. */
final class CallersIT {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private final Ledger ledger = new Ledger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger departures = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final ServerSocket server;

    CallersIT() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }

    @Test
    void aWholeReportIsServed() {
        answer(number -> "HTTP/1.1 200 OK\r\n\r\nreport " + number + "\n");

        call(1, fast());

        assertThat(ledger.all()).singleElement().satisfies(attempt -> {
            assertThat(attempt.servedAt).isNotZero();
            assertThat(attempt.leftAt).isZero();
        });
    }

    @Test
    void aRefusalIsNeitherServedNorADeparture() {
        answer(number -> "HTTP/1.1 503 Service Unavailable\r\n\r\nreport " + number + "\n");

        call(1, fast());

        assertThat(ledger.all()).singleElement().satisfies(attempt -> {
            assertThat(attempt.servedAt).isZero();
            assertThat(attempt.leftAt).isZero();
        });
    }

    @Test
    void aTruncatedReportIsNotServed() {
        answer(number -> "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nrepor");

        call(1, fast());

        assertThat(ledger.all()).singleElement().satisfies(attempt -> assertThat(attempt.servedAt)
                .isZero());
    }

    @Test
    void whoIsNotServedWithinThePatienceHangsUp() {
        answer(number -> "");

        call(1, fast());

        assertThat(ledger.all()).singleElement().satisfies(attempt -> assertThat(
                        Duration.ofNanos(attempt.leftAt - attempt.openedAt))
                .isBetween(PATIENCE, PATIENCE.plusMillis(200)));
        awaitDepartures(1);
    }

    @Test
    void whoMayTryAgainDoesUntilServed() {
        answer(number -> requests.incrementAndGet() < 3 ? "" : "HTTP/1.1 200 OK\r\n\r\nreport " + number + "\n");

        call(4, fast());

        assertThat(ledger.all())
                .hasSize(3)
                .filteredOn(attempt -> attempt.servedAt != 0)
                .hasSize(1);
    }

    @Test
    void whoIsRefusedGivesUpAfterTheLastAttempt() {
        answer(number -> "HTTP/1.1 503 Service Unavailable\r\n\r\n");

        call(4, fast());

        assertThat(ledger.all()).hasSize(4).allMatch(attempt -> attempt.servedAt == 0);
    }

    @Test
    void manyWaitAtOnce() {
        answer(number -> "");

        long start = System.nanoTime();
        call(1, Arrivals.together(40));

        assertThat(ledger.all()).hasSize(40).allMatch(attempt -> attempt.leftAt != 0);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE.multipliedBy(5));
        awaitDepartures(40);
    }

    private static List<Arrival> fast() {
        return List.of(new Arrival(0, false));
    }

    private void call(int attempts, List<Arrival> arrivals) {
        InetSocketAddress address = new InetSocketAddress("localhost", server.getLocalPort());
        new Callers(ledger, address, new Load("/slow/", "/fast/", PATIENCE, attempts), arrivals).run();
    }

    /** Answers each request with what the function makes of its number; with nothing, it waits for the departure. */
    private void answer(UnaryOperator<String> response) {
        threads.execute(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    threads.execute(() -> converse(socket, response));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    private void converse(Socket socket, UnaryOperator<String> response) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            String line = in.readLine();
            while (!in.readLine().isEmpty()) {
                // the headers
            }
            String text = response.apply(line.replaceAll("GET /\\w+/(\\d+) HTTP/1.1", "$1"));
            if (text.isEmpty() && in.read() < 0) {
                departures.incrementAndGet();
            }
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitDepartures(int count) {
        await().until(() -> departures.get() == count);
    }
}
