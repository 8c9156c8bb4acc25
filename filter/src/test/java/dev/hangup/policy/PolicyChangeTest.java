package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a new policy. */
final class PolicyChangeTest {

    private static final int ENDPOINTS = 10_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static Policy of(String mode, String entries) {
        return PolicyFile.parse("hangup.yaml", "mode: " + mode + "\ndeadlines: { endpoints: { " + entries + " } }")
                .policy();
    }

    private static PolicyChange change(String last, String next) {
        return new PolicyChange(of("observe", last), of("observe", next));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "normal: 3s | normal: 3s | 0",
                "normal: 3s | normal: 3000ms | 0",
                "normal: 3s | normal: 4s | 1",
                "normal: 3s | interrupt: false | 1",
                "interrupt: true | interrupt: false | 1",
                "mode: observe | mode: off | 1",
                "half-close: gone | half-close: tolerate | 1",
                "escalate-after: 3s | escalate-after: 4s | 1",
                "stuck-after: 3s | stuck-after: 4s | 1",
                "covers: response | covers: first-byte | 1",
            })
    void anEntryThatSaysSomethingElseIsChanged(String last, String next, int changed) {
        PolicyChange change = change("\"GET /a\": { " + last + " }", "\"GET /a\": { " + next + " }");
        assertThat(change.describe()).isEqualTo("entries: 0 added, " + changed + " changed, 0 removed");
        assertThat(change.modes()).isFalse();
    }

    @Test
    void itSaysHowManyAndWhichBeginAndCease() {
        PolicyChange change = change(
                "\"GET /a\": { mode: cancel }, \"GET /b\": { mode: cancel }, \"GET /c\": { normal: 1s }, \"GET /d\": { mode: cancel }",
                "\"GET /a\": { mode: cancel }, \"GET /b\": { mode: observe }, \"GET /e/{id}\": { mode: cancel }, \"GET /f\": { mode: cancel }");
        assertThat(change.describe())
                .isEqualTo("entries: 2 added, 1 changed, 2 removed; begin to cancel: GET /e/{id}, GET /f;"
                        + " cease to cancel: GET /b, GET /d");
        assertThat(change.modes()).isTrue();
    }

    @Test
    void theModeOfAllIsSaidToo() {
        String entries = "\"POST /a\": { normal: 1s }, \"POST /b\": { mode: observe }";
        PolicyChange on = new PolicyChange(of("observe", entries), of("cancel", entries));
        assertThat(on.describe())
                .isEqualTo("entries: 0 added, 0 changed, 0 removed; begin to cancel: GET and HEAD by default, POST /a");
        PolicyChange off = new PolicyChange(of("cancel", entries), of("off", entries));
        assertThat(off.describe())
                .isEqualTo("entries: 0 added, 0 changed, 0 removed; cease to cancel: GET and HEAD by default, POST /a");
        assertThat(new PolicyChange(of("observe", entries), of("off", entries)).modes())
                .isTrue();
    }

    /** Its requests are another entry's by then, or the default's. */
    @Test
    void whatCancelsWithoutItsEntryDoesNotCease() {
        String wider = "\"GET /a/{id}\": { mode: cancel }";
        PolicyChange removed = change(wider + ", \"GET /a/latest\": { mode: cancel }", wider);
        assertThat(removed.describe()).isEqualTo("entries: 0 added, 0 changed, 1 removed");
        PolicyChange byDefault = new PolicyChange(of("cancel", wider), of("cancel", "\"POST /b\": { mode: cancel }"));
        assertThat(byDefault.describe()).isEqualTo("entries: 1 added, 0 changed, 1 removed; begin to cancel: POST /b");
    }

    @Test
    void theFirstTwentyAreNamed() {
        assertThat(change("", entries(22, "mode: cancel")).describe())
                .startsWith("entries: 22 added, 0 changed, 0 removed; begin to cancel: GET /v1/thing1/{id}, GET /v2/")
                .endsWith(", GET /v20/thing20/{id} and 2 more");
    }

    /** Requests are served meanwhile: it takes hardly more than a look-up for each entry, and makes hardly any garbage. */
    @Test
    void itIsCheapAmongManyEndpoints() {
        Policy last = of("observe", entries(ENDPOINTS, "mode: cancel, normal: 3s"));
        Policy same = of("observe", entries(ENDPOINTS, "mode: cancel, normal: 3s"));
        Policy next = of("observe", entries(ENDPOINTS, "mode: observe, normal: 4s"));
        long quickest = Long.MAX_VALUE;
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long began = THREADS.getCurrentThreadCpuTime();
            long before = THREADS.getCurrentThreadAllocatedBytes();
            String all = new PolicyChange(last, next).describe() + new PolicyChange(last, same).describe();
            bytes = Math.min(bytes, THREADS.getCurrentThreadAllocatedBytes() - before);
            quickest = Math.min(quickest, THREADS.getCurrentThreadCpuTime() - began);
            assertThat(all).contains("10000 changed").endsWith("entries: 0 added, 0 changed, 0 removed");
        }
        assertThat(bytes / (2 * ENDPOINTS)).as("bytes an endpoint").isLessThan(100);
        assertThat(quickest / 1_000_000).as("milliseconds").isLessThan(100);
    }

    private static String entries(int endpoints, String entry) {
        return IntStream.rangeClosed(1, endpoints)
                .mapToObj(i -> "\"GET /v" + i % 100 + "/thing" + i + "/{id}\": { " + entry + " }")
                .collect(Collectors.joining(", "));
    }
}
