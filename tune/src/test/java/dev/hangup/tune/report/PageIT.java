package dev.hangup.tune.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser: light, dark and on a phone. The pictures stay in target/screenshots. */
final class PageIT {

    private static final Path PICTURES = Path.of("target/screenshots");
    private static final String WIDEST =
            "Math.max(...[...document.querySelectorAll('body *')].filter(e => !e.closest('details'))"
                    + ".map(e => e.getBoundingClientRect().right))";

    @Test
    void itIsReadableInLightInDarkAndOnAPhone(@TempDir Path directory) throws Exception {
        Path page = Files.writeString(
                directory.resolve("report.html"), Page.of(panels(), "20 140 calls, policy hangup.yaml"));
        try (Chromium chromium = Chromium.start(directory)) {
            for (Look look : List.of(new Look("light", 1_000), new Look("dark", 1_000), new Look("phone", 360))) {
                show(chromium, look, page);
                assertThat(chromium.value("document.querySelectorAll('svg path.curve').length"))
                        .isEqualTo(2);
                assertThat(number(chromium.value(WIDEST))).as(look.name()).isLessThanOrEqualTo(look.width());
                assertLabelsApart(chromium, look);
                assertThat(chromium.value("getComputedStyle(document.body).backgroundColor"))
                        .isEqualTo(look.name().equals("dark") ? "rgb(20, 24, 27)" : "rgb(252, 252, 250)");
                chromium.screenshot(PICTURES.resolve("report-" + look.name() + ".png"));
                chromium.value("document.querySelectorAll('details').forEach(d => d.open = true) ?? 0");
                assertThat(number(chromium.value("document.querySelectorAll('details table tr').length")))
                        .isGreaterThan(20);
                assertThat(number(chromium.value("document.documentElement.scrollWidth")))
                        .isLessThanOrEqualTo(look.width());
                chromium.screenshot(PICTURES.resolve("report-" + look.name() + "-figures.png"));
            }
            assertThat(chromium.events("Log.entryAdded")).isEmpty();
            assertThat(chromium.events("Runtime.consoleAPICalled")).isEmpty();
            assertThat(chromium.events("Runtime.exceptionThrown")).isEmpty();
            assertThat(chromium.events("Network.requestWillBeSent")
                            .map(event -> String.valueOf(
                                    Chromium.map(event.get("request")).get("url")))
                            .filter(url -> !url.equals(page.toUri().toString()) && !url.startsWith("data:")))
                    .isEmpty();
        }
    }

    private record Look(String name, int width) {}

    private static void show(Chromium chromium, Look look, Path page) throws Exception {
        String scheme = look.name().equals("dark") ? "dark" : "light";
        chromium.send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        chromium.send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", look.width(), "height", 900, "deviceScaleFactor", 1, "mobile", look.width() < 500));
        long shown = chromium.events("Page.loadEventFired").count();
        chromium.send("Page.navigate", Map.of("url", page.toUri().toString()));
        // Without asking the page, which may be gone between two questions.
        await().atMost(Duration.ofSeconds(60))
                .until(() -> chromium.events("Page.loadEventFired").count() > shown);
    }

    /** No two labels of one chart lie on each other, and none lies outside the page. */
    private static void assertLabelsApart(Chromium chromium, Look look) throws Exception {
        String overlaps = """
                [...document.querySelectorAll('.chart')].flatMap(chart => {
                  const all = [...chart.querySelectorAll('b, .x, .y, .asked, .patience span')];
                  const box = e => e.getBoundingClientRect();
                  return all.flatMap((a, i) => all.slice(i + 1).filter(b =>
                    box(a).left < box(b).right - 1 && box(b).left < box(a).right - 1
                      && box(a).top < box(b).bottom - 4 && box(b).top < box(a).bottom - 4)
                    .map(b => a.textContent + ' / ' + b.textContent))
                    .concat(all.filter(a => box(a).left < 0).map(a => 'left of the page: ' + a.textContent));
                })
                """;
        assertThat(chromium.value(overlaps)).as(look.name()).isEqualTo(List.of());
    }

    private static double number(Object value) {
        return ((Number) value).doubleValue();
    }

    private static List<Panel> panels() {
        Random random = new Random(1);
        List<Panel.Run> runs = new ArrayList<>();
        for (int day = 1; day <= 14; day++) {
            runs.add(new Panel.Run(
                    "access.2025-03-%02d.log".formatted(day), 1_400, 0.986 + 0.013 * random.nextDouble()));
        }
        return List.of(
                panel(
                        "weather_a",
                        "spike_00",
                        sample(random, 20_000, 0.8, 0.45),
                        new Panel.Marks(1.5, 3.0, 1.5, 2.9),
                        runs),
                panel(
                        "GET /reports/{id}/lines/{line}",
                        "normal",
                        sample(random, 1_200, 0.08, 0.7),
                        new Panel.Marks(0.05, null, 30.0, 2.0),
                        List.of()),
                new Panel(
                        "POST /orders",
                        "spike_30",
                        41,
                        Curve.NONE,
                        Curve.NONE,
                        0,
                        new Panel.Marks(null, null, 10.0, null),
                        Double.NaN,
                        0.995,
                        "insufficient samples",
                        "too few: 59 samples are missing",
                        "keep",
                        new Panel.Tail(0, 0, 0),
                        List.of()));
    }

    /** How many finished and how many left, by seconds. */
    private static Map<Double, long[]> sample(Random random, int size, double middle, double spread) {
        Map<Double, long[]> counts = new TreeMap<>();
        for (int i = 0; i < size; i++) {
            double seconds = middle * Math.exp(spread * random.nextGaussian()) * (i % 100 == 0 ? 5 : 1);
            boolean leaves = seconds > 2 && i % 3 == 0;
            double rounded = Math.round(1_000 * (leaves ? 2 + random.nextDouble() / 2 : seconds)) / 1e3;
            counts.computeIfAbsent(rounded, at -> new long[2])[leaves ? 1 : 0]++;
        }
        return counts;
    }

    private static Panel panel(
            String endpoint, String window, Map<Double, long[]> counts, Panel.Marks marks, List<Panel.Run> runs) {
        double[] seconds = counts.keySet().stream().mapToDouble(at -> at).toArray();
        long[] finished = counts.values().stream().mapToLong(count -> count[0]).toArray();
        long[] left = counts.values().stream().mapToLong(count -> count[1]).toArray();
        Curve curve = Curve.of(seconds, finished, left);
        long departures = 0;
        long samples = 0;
        for (int i = 0; i < left.length; i++) {
            departures += left[i];
            samples += finished[i] + left[i];
        }
        Double recommended = marks.recommended();
        return new Panel(
                endpoint,
                window,
                samples,
                curve,
                Curve.of(seconds, left, new long[left.length]),
                departures,
                marks,
                recommended == null ? Double.NaN : curve.at(recommended),
                0.99,
                "",
                "98.70 % finish, of 99.00 % asked for, within 1.5s; 2.9s is the first step from 1.5s that meets the target",
                "raise",
                new Panel.Tail(31, 1_800, departures),
                runs);
    }
}
