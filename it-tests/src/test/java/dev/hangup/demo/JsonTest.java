package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JsonTest {

    @Test
    void objectsKeepTheirOrder() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("scale", 0.1);
        object.put("with", Map.of("pool_share", 0.78125));
        object.put("pool", 26);

        assertThat(Json.of(object)).isEqualTo("""
                {
                  "scale": 0.1,
                  "with": {
                    "pool_share": 0.78125
                  },
                  "pool": 26
                }
                """);
    }

    @Test
    void numbersHaveNoExponent() {
        assertThat(Json.of(Map.of("a", 0.0))).contains("\"a\": 0\n");
        assertThat(Json.of(Map.of("a", 100.0))).contains("\"a\": 100\n");
        assertThat(Json.of(Map.of("a", 1e-5))).contains("\"a\": 0.00001\n");
    }

    @Test
    void whatIsNoNumberIsRefused() {
        assertThatThrownBy(() -> Json.of(Map.of("a", Double.NaN))).isInstanceOf(IllegalArgumentException.class);
    }
}
