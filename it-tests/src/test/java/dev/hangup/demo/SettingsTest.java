package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SettingsTest {

    @TempDir
    Path folder = Path.of("");

    @Test
    void nothingGivenIsOneTenth() {
        assertThat(settings(Map.of("java.version", "17")))
                .isEqualTo(new Settings(0.1, false, 8080, null, 426, Settings.App.SERVLET));
    }

    @Test
    void everythingGiven() {
        Path file = folder.resolve("demo.json");

        Settings settings = settings(Map.of(
                "demo.scale", "1",
                "demo.keep", "",
                "demo.port", "0",
                "demo.json", file.toString(),
                "demo.seed", "-7",
                "demo.app", "jersey"));

        assertThat(settings).isEqualTo(new Settings(1, true, 0, file, -7, Settings.App.JERSEY));
    }

    @Test
    void aFileThatIsThereIsWrittenAnew() throws Exception {
        Path file = Files.writeString(folder.resolve("demo.json"), "{}");

        assertThat(settings(Map.of("demo.json", file.toString())).json()).isEqualTo(file);
    }

    @ParameterizedTest
    @CsvSource({
        "demo.scale, 0, a number from 0.05 to 1",
        "demo.scale, 1.1, a number from 0.05 to 1",
        "demo.scale, NaN, a number from 0.05 to 1",
        "demo.scale, tenth, a number from 0.05 to 1",
        "demo.scale, '', a number from 0.05 to 1",
        "demo.keep, yes, true or false",
        "demo.app, spring, servlet or jersey",
        "demo.port, -1, a number from 0 to 65535",
        "demo.port, 65536, a number from 0 to 65535",
        "demo.port, http, a number from 0 to 65535",
        "demo.json, '', the name of a file that can be written",
        "demo.json, true, the name of a file that can be written",
        "demo.json, /no/such/folder/demo.json, the name of a file that can be written",
        "demo.json, /, the name of a file that can be written",
        "demo.seed, 1.5, a whole number",
    })
    void aBadValueIsRefusedInOneLine(String name, String value, String expected) {
        Refusal refusal = refusal(Map.of(name, value));

        assertThat(refusal.exitCode()).isEqualTo(2);
        assertThat(refusal.line()).isEqualTo("-D" + name + "=" + value + ": expected " + expected);
    }

    @Test
    void anUnknownNameIsRefusedWithTheKnownOnes() {
        Refusal refusal = refusal(Map.of("demo.sclae", "1"));

        assertThat(refusal.exitCode()).isEqualTo(2);
        assertThat(refusal.line())
                .isEqualTo("-Ddemo.sclae is unknown; expected one of"
                        + " demo.app, demo.json, demo.keep, demo.port, demo.scale, demo.seed");
    }

    private static Refusal refusal(Map<String, String> properties) {
        return catchThrowableOfType(Refusal.class, () -> settings(properties));
    }

    private static Settings settings(Map<String, String> values) {
        Properties properties = new Properties();
        properties.putAll(values);
        return Settings.of(properties);
    }
}
