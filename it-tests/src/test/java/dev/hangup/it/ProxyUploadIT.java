package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.it.ProxyStage.Way;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that come through a proxy: slowly, or only in part. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ProxyUploadIT {

    private static final int LENGTH = 400_000;
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(2);

    /** nginx keeps a body to itself until it is whole, except below this path. */
    private static final String STREAMED = "/streamed/";

    private static final Policy POLICY = Policy.builder()
            .endpoint("POST /streamed/{id}", Entry.of(Mode.CANCEL))
            .endpoint("POST /streamed/cut/{id}", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .endpoint("POST /wait/{id}", Entry.of(Mode.CANCEL))
            .build();

    private ProxyStage stage;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        stage = new ProxyStage(POLICY, directory);
    }

    @AfterAll
    void stop() {
        if (stage != null) {
            stage.close();
        }
    }

    @Test
    void aSlowBodyArrivesWholeAndIsNoDeparture() throws Exception {
        List<Way> ways = ProxyStage.ways(Hop.values());
        Crowd.of(ways.size(), i -> {
            Way way = ways.get(i);
            String path = way.path(STREAMED, "slow");
            Random random = new Random(i);
            byte[] body = new byte[LENGTH];
            random.nextBytes(body);
            CRC32 sent = new CRC32();
            sent.update(body);
            stage.room.visit(path).serve();
            Upload upload = begin(way, path);
            for (int at = 0; at < LENGTH; at += LENGTH / 10) {
                upload.send(Arrays.copyOfRange(body, at, at + LENGTH / 10));
                Thread.sleep(random.nextInt(300));
            }
            assertThat(upload.response()).as("%s", way).isEqualTo("served");
            assertThat(stage.room.visit(path).body.join()).as("%s", way).isEqualTo(sent.getValue());
            assertThat(stage.room.visit(path).call().callerGoneAt())
                    .as("%s", way)
                    .isZero();
        });
    }

    @Test
    @DisplayName("case 70: a body that is cut in the middle is seen as that, or its read fails")
    void aBodyThatIsCutEndsItsCall() throws Exception {
        List<Way> ways = ProxyStage.ways(Hop.values());
        Crowd.of(ways.size(), i -> {
            Way way = ways.get(i);
            String path = way.path(STREAMED + "cut/", "cut");
            Upload upload = begin(way, path);
            upload.send(new byte[LENGTH / 2]);
            CallScope call = stage.room.visit(path).call();
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            upload.cut();
            if (way.hop() == Hop.HALF_OPEN) {
                // Its reader is told nothing, and broken off when the deadline is past and the interrupt of no use.
                await(path).atMost(DEADLINE.plus(SOON).plus(SOON)).until(call::isEnded);
                assertThat(call.cancelReason()).contains(CancelReason.ENDPOINT_DEADLINE);
                assertThat(call.callerGoneAt()).isZero();
            } else {
                await(path).atMost(SOON).until(call::isEnded);
                call.cancelReason().ifPresent(reason -> assertThat(reason).matches(CancelReason::callerGone));
            }
            assertThat(stage.room.visit(path).body).as("%s", way).isCompletedExceptionally();
        });
    }

    @Test
    void aBodyThatNginxKeepsToItselfIsCutBeforeThereIsACall() throws Exception {
        List<Way> ways = ProxyStage.ways(Hop.NGINX, Hop.NGINX_HTTP2);
        Crowd.of(ways.size(), i -> {
            String path = ways.get(i).path("/wait/", "kept");
            Upload upload = begin(ways.get(i), path);
            upload.send(new byte[LENGTH / 2]);
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            upload.cut();
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            assertThat(stage.room.visit(path).hasBegun()).as("%s", ways.get(i)).isFalse();
        });
    }

    private Upload begin(Way way, String path) throws IOException {
        return way.hop().http2()
                ? Upload.http2(stage.port(way), path, LENGTH)
                : Upload.http1(stage.port(way), path, LENGTH);
    }
}
