package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.it.EachLine;
import dev.hangup.jersey.CallerAwareClientFilter;
import dev.hangup.jersey.CallerAwareConnectorProvider;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.ClientProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Jersey client sends arrives whole or, for whoever gets it, clearly not; whoever writes it is never left waiting. */
@EachLine
final class ClientBodiesIT {
    private static final int SIZE = 100_000;
    private static final int MUCH = 1_000;

    private Depot depot;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        depot = new Depot();
        client = ClientBuilder.newClient(new ClientConfig()
                .connectorProvider(new CallerAwareConnectorProvider())
                .register(new CallerAwareClientFilter()));
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        depot.close();
    }

    private Invocation.Builder to(String path, String processing) {
        return client.target(depot.at(path)).request().property(ClientProperties.REQUEST_ENTITY_PROCESSING, processing);
    }

    private static Entity<StreamingOutput> body(StreamingOutput writer) {
        return Entity.entity(writer, MediaType.APPLICATION_OCTET_STREAM_TYPE);
    }

    /** On a thread of its own: it shall not be the test that hangs. */
    private static String sent(Invocation.Builder request, StreamingOutput writer) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread sender = new Thread(() -> {
            try {
                answer.complete(request.post(body(writer), String.class));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        sender.setDaemon(true);
        sender.start();
        return answer.get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CHUNKED", "BUFFERED"})
    void aBodyWhoseWriterFailsIsNotTakenForWhole(String processing) throws Exception {
        for (Exception failure :
                new Exception[] {new IOException("on purpose"), new IllegalStateException("on purpose")}) {
            depot.deliveries.clear();
            assertThatThrownBy(() -> sent(to("/take", processing), out -> {
                        out.write(new byte[SIZE]);
                        if (failure instanceof IOException io) {
                            throw io;
                        }
                        throw (RuntimeException) failure;
                    }))
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCause(failure);
            if (processing.equals("CHUNKED")) {
                await().untilAsserted(() -> assertThat(depot.deliveries)
                        .singleElement()
                        .satisfies(cut -> assertThat(cut.isWhole()).isFalse()));
            }
            assertThat(sent(to("/take", processing), out -> out.write(new byte[SIZE])))
                    .isEqualTo("POST " + SIZE);
            assertThat(depot.deliveries).filteredOn(Depot.Delivery::isWhole).hasSize(1);
        }
    }

    /** A pipe would find its writer dead. */
    @Test
    void aBodyMayBeWrittenByThreadsThatEnd() throws Exception {
        assertThat(sent(to("/take", "CHUNKED"), out -> {
                    Thread first = new Thread(() -> {
                        try {
                            out.write(new byte[SIZE]);
                            out.flush();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
                    first.start();
                    try {
                        first.join();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3_500)); // what a pipe bears
                    out.write(1);
                }))
                .isEqualTo("POST " + (SIZE + 1));
    }

    @Test
    void anInterruptOfWhoeverWritesEndsTheRequest() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread sender = new Thread(() -> {
            try {
                to("/stalled", "CHUNKED").post(body(ClientBodiesIT::writeMuch));
            } catch (ProcessingException e) {
                interrupted.complete(Thread.currentThread().isInterrupted());
            }
        });
        sender.setDaemon(true);
        sender.start();
        await().until(() -> depot.deliveries.size() == 1);
        sender.interrupt();
        assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aCancelledFutureEndsTheWriting() throws Exception {
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        CompletableFuture<?> asked = to("/stalled", "CHUNKED")
                .rx()
                .post(body(out -> {
                    try {
                        writeMuch(out);
                    } catch (IOException | RuntimeException e) {
                        told.complete(e);
                        throw e;
                    }
                }))
                .toCompletableFuture();
        await().until(() -> depot.deliveries.size() == 1);
        asked.cancel(true);
        assertThat(told.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
    }

    /** More than all buffers on the way take. */
    private static void writeMuch(OutputStream out) throws IOException {
        for (int i = 0; i < MUCH; i++) {
            out.write(new byte[SIZE]);
        }
    }
}
