package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which window a call belongs to. */
class WindowsOfLogsTest {

    @TempDir
    Path directory;

    private Map<String, Long> samples(LogFile log, String... more) throws IOException {
        String[] args = new String[4 + more.length];
        args[0] = "recommend";
        args[1] = "--json";
        args[2] = "--format=tomcat";
        args[3] = log.write(directory.resolve("a.log")).toString();
        System.arraycopy(more, 0, args, 4, more.length);
        Path json = Files.writeString(directory.resolve("r.json"), Ran.of(args).out());
        Map<String, Long> samples = new TreeMap<>();
        RecommendationJson.read(json).forEach(each -> samples.put(each.window(), each.samples()));
        return samples;
    }

    @Test
    @DisplayName("case A3: a call that ends in a window and began before is none of it")
    void byTheStart() throws IOException {
        LogFile log = new LogFile()
                .add(Instant.parse("2026-11-30T09:59:57Z"), "GET /a", 200, 8_000)
                .add(Instant.parse("2026-11-30T10:04:59Z"), "GET /a", 200, 8_000);
        assertThat(samples(log, "--window=spike={ minutes: 0-4 }")).isEqualTo(Map.of("normal", 1L, "spike", 1L));
    }

    @Test
    @DisplayName("case A8: windows are of the instant, in the zone that is named, also in the hour that comes twice")
    void localTimeWhenTheClocksChange() throws IOException {
        LogFile log = new LogFile();
        // 2:30 in Berlin comes at 0:30 and at 1:30 UTC; 3:30 at 2:30.
        for (String utc : new String[] {"00:30", "01:30", "02:30"}) {
            log.add(Instant.parse("2026-10-25T" + utc + ":00Z"), "GET /a", 200, 10);
        }
        String night = "--window=night={ hours: 2 }";
        assertThat(samples(log, night, "--zone=Europe/Berlin")).isEqualTo(Map.of("normal", 1L, "night", 2L));
        assertThat(samples(log, night)).isEqualTo(Map.of("normal", 2L, "night", 1L));
        assertThat(Ran.of(
                                "recommend",
                                "--format=tomcat",
                                "--zone=Nowhere",
                                directory.resolve("a.log").toString())
                        .err())
                .contains("--zone", "Nowhere");
    }

    @Test
    void valuesInForceAreThoseOfEachWindow() throws IOException {
        Path policy = Files.writeString(directory.resolve("hangup.yaml"), """
                windows:
                  spike: { minutes: 0-4 }
                deadlines:
                  defaults: { normal: 20s }
                  endpoints:
                    "GET /a": { normal: 10s, spike: 45s }
                sources:
                  defaults: { normal: 2s }
                  weather: { host: "a.example.com", spike: 3s }
                """);
        LogFile log = new LogFile()
                .add(Instant.parse("2026-11-30T10:30:00Z"), "GET /a", 200, 8)
                .add(Instant.parse("2026-11-30T10:01:00Z"), "GET /a", 200, 8);
        assertThat(currents(log, policy))
                .isEqualTo(Map.of("normal", Duration.ofSeconds(10), "spike", Duration.ofSeconds(45)));
        assertThat(currents(log, policy, "--by=source", "--source=weather"))
                .isEqualTo(Map.of("normal", Duration.ofSeconds(2), "spike", Duration.ofSeconds(3)));
    }

    private Map<String, Duration> currents(LogFile log, Path policy, String... more) throws IOException {
        String[] args = new String[5 + more.length];
        args[0] = "recommend";
        args[1] = "--json";
        args[2] = "--format=tomcat";
        args[3] = log.write(directory.resolve("a.log")).toString();
        args[4] = "--policy=" + policy;
        System.arraycopy(more, 0, args, 5, more.length);
        Path json = Files.writeString(directory.resolve("r.json"), Ran.of(args).out());
        Map<String, Duration> currents = new TreeMap<>();
        RecommendationJson.read(json).forEach(each -> {
            Duration current = each.current();
            if (current != null) {
                currents.put(each.window(), current);
            }
        });
        return currents;
    }

    @Test
    void sourcesAreFoundByTheirHosts() throws IOException {
        Path policy = Files.writeString(directory.resolve("hangup.yaml"), """
                sources:
                  weather: { host: "a.example.com", normal: 2s }
                  maps: { host: "b.example.com:8443", normal: 2s }
                """);
        StringBuilder lines = new StringBuilder();
        for (String host :
                new String[] {"a.example.com", "A.example.com:443", "b.example.com:8443", "b.example.com", "-"}) {
            lines.append("[30/Nov/2026:10:00:05 +0000] ").append(host).append(" 200 1.700 0.010, 1.204 : -\n");
        }
        Path log = Files.writeString(directory.resolve("proxy.log"), lines);
        String pattern = "--pattern=[$time_local] $proxy_host $status $request_time $upstream_response_time";
        Ran ran = Ran.of("recommend", "--by=source", pattern, "--policy=" + policy, log.toString());
        assertThat(ran.out()).containsPattern("weather +normal +2 +1\\.214").containsPattern("maps +normal +1 ");
        assertThat(ran.err())
                .contains("2 calls of no endpoint or source", "3 calls that the proxy tried more than once");
        ran = Ran.of("recommend", "--by=host", pattern, log.toString());
        assertThat(ran.out()).containsPattern("a.example.com +normal +2 ").containsPattern("b.example.com +normal +2 ");
        ran = Ran.of(
                "recommend",
                "--by=source",
                "--source=m=b.example.com",
                "--source=w=a.example.com",
                pattern,
                log.toString());
        assertThat(ran.out()).containsPattern("m +normal +2 ").containsPattern("w +normal +2 ");
    }

    @Test
    void onlyWhatIsRecentCounts() throws IOException {
        LogFile log = new LogFile()
                .add(Instant.now().minus(Duration.ofDays(3)), "GET /a", 200, 8)
                .add(Instant.now().minus(Duration.ofDays(5)), "GET /a", 200, 8);
        assertThat(samples(log, "--since=4d")).isEqualTo(Map.of("normal", 1L));
        assertThat(samples(log, "--since=2000-01-01")).isEqualTo(Map.of("normal", 2L));
    }
}
