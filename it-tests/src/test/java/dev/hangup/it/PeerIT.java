package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.watch.CallerWatch;
import dev.hangup.watch.jetty.JettySource;
import dev.hangup.watch.tomcat.TomcatSource;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A canary for each line of the containers: the socket's peer is found on every wire, whatever a header says who that is. */
@EachLine
final class PeerIT {

    private static final String FORGED = "203.0.113.9";

    private final CompletableFuture<InetAddress> peer = new CompletableFuture<>();
    private final CompletableFuture<String> believed = new CompletableFuture<>();

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({
        "JETTY, PLAIN",
        "JETTY, TLS",
        "JETTY, H2C",
        "JETTY, H2",
        "TOMCAT, PLAIN",
        "TOMCAT, TLS",
        "TOMCAT, NIO2",
        "TOMCAT, NIO2_TLS",
        "TOMCAT, H2C",
        "TOMCAT, H2",
    })
    void theSocketsPeerIsKnown(ContainerKind kind, Wire wire) throws Exception {
        CallerWatch.Source source = source(kind);
        Site site = new Site().wire(wire).forwardedBelieved().servlet("/", new LambdaServlet((request, response) -> {
            believed.complete(request.getRemoteAddr());
            try {
                peer.complete(source.peer(request));
            } catch (Exception | Error e) {
                peer.completeExceptionally(e);
            }
        }));
        try (Container container = kind.start(site)) {
            if (wire == Wire.H2 || wire == Wire.H2C) {
                try (H2Client client = H2Client.connect(container, wire)) {
                    client.get("/", "X-Forwarded-For", FORGED).outcome();
                }
            } else {
                try (RawClient client = RawClient.connect(container, wire)) {
                    client.get("/", "X-Forwarded-For: " + FORGED).response();
                }
            }
            assertThat(believed.get(10, TimeUnit.SECONDS)).isEqualTo(FORGED); // or the test proves nothing
            assertThat(peer.get(10, TimeUnit.SECONDS)).isEqualTo(InetAddress.getLoopbackAddress());
        }
    }

    /** Two streams on one connection and one worker for both; on HTTP/1.1 a container knows nothing of a wait. */
    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    void aStreamsWaitForAWorkerIsKnown(ContainerKind kind, Wire wire) throws Exception {
        CallerWatch.Source source = source(kind);
        Duration held = Duration.ofMillis(500);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        CompletableFuture<Duration> first = new CompletableFuture<>();
        CompletableFuture<Duration> second = new CompletableFuture<>();
        Site site = new Site()
                .wire(wire)
                .maxThreads(kind == ContainerKind.JETTY ? 1 : 20)
                .streamsAtOnce(1)
                .servlet("/", new LambdaServlet((request, response) -> {
                    if (first.complete(source.waited(request))) {
                        inside.countDown();
                        sent.await();
                        TimeUnit.NANOSECONDS.sleep(held.toNanos());
                    } else {
                        second.complete(source.waited(request));
                    }
                }));
        try (Container container = kind.start(site);
                H2Client client = H2Client.connect(container, wire)) {
            client.get("/");
            inside.await();
            client.get("/");
            // Its frames are on their way: the wait is longer than most of this pause.
            sent.countDown();
            Duration waited = second.get(20, TimeUnit.SECONDS);
            assertThat(waited).isGreaterThan(held.dividedBy(2));
            assertThat(waited).isGreaterThan(first.get());
        }
    }

    private static CallerWatch.Source source(ContainerKind kind) {
        return kind == ContainerKind.JETTY ? new JettySource() : new TomcatSource();
    }
}
