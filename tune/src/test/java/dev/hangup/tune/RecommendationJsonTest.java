package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecommendationJsonTest {

    @TempDir
    Path directory;

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        Recommendation full = new Recommendation(
                "GET /reports/{id}",
                "spike_00",
                1_000,
                Duration.ofMillis(1_200),
                Duration.ofMillis(2_850),
                Duration.ofMillis(1_500),
                Duration.ofMillis(2_900),
                0.996,
                Issue.SHORT_OF_TARGET,
                Decision.RAISE,
                new Stability(3, 2, 0.97, 1.0),
                new Tail(1, 2, 3),
                new LinkedHashMap<>(Map.of("target", 0.995)));
        Recommendation empty = new Recommendation(
                "weather_a",
                "normal",
                3,
                null,
                null,
                null,
                null,
                null,
                Issue.INSUFFICIENT_SAMPLES,
                null,
                Stability.NONE,
                new Tail(0, 0, 0),
                Map.of());
        Path file = Files.writeString(directory.resolve("r.json"), RecommendationJson.write(List.of(full, empty)));
        assertThat(RecommendationJson.read(file)).containsExactly(full, empty);
        assertThat(Files.readString(file))
                .contains("\"estimated_success_rate\" : 0.996", "\"recommended\" : 2.9", "\"recommended\" : null");
    }

    @Test
    void whatIsNoListOfRecommendationsIsNamed() throws IOException {
        Path file = directory.resolve("r.json");
        assertThatThrownBy(() -> RecommendationJson.read(file)).hasMessageContaining("no such file");
        Files.write(file, new byte[] {'[', (byte) 0xff, ']'});
        assertThatThrownBy(() -> RecommendationJson.read(file)).hasMessage(file + ": not UTF-8");
        Files.writeString(file, "[\n{\"endpoint\": }]");
        assertThatThrownBy(() -> RecommendationJson.read(file))
                .isInstanceOf(UnreadableInput.class)
                .hasMessageContaining(file + ", line 2");
        Files.writeString(file, "[{\"endpoint\": \"GET /a\", \"window\": \"normal\", \"samples\": -1}]");
        assertThatThrownBy(() -> RecommendationJson.read(file))
                .isInstanceOf(UnreadableInput.class)
                .hasMessageContaining("entry 1");
    }
}
