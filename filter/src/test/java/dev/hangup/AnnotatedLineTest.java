package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When it is said which annotated endpoints cancel, and how. */
final class AnnotatedLineTest extends Handler {

    private final Logger logger = Logger.getLogger("dev.hangup");
    private final List<String> lines = new ArrayList<>();
    private final AtomicReference<Policy> policy = new AtomicReference<>(Policy.defaults());
    private List<String> names = List.of();
    private final AnnotatedLine line = new AnnotatedLine("endpoints", policy::get, inForce -> names);

    @BeforeEach
    void listen() {
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        logger.setUseParentHandlers(true);
        logger.removeHandler(this);
    }

    @Test
    void itIsSaidOnceAndNotWhereNoneCancels() {
        line.say();
        assertThat(lines).isEmpty();
        names = List.of("GET /a/{id}", "GET /b");
        line.say();
        line.say();
        assertThat(lines).containsExactly("INFO annotated endpoints that cancel: GET /a/{id}, GET /b");
    }

    @Test
    void aNewPolicyThatChangesNothingSaysNothingAndAnotherWarns() {
        names = List.of("GET /a", "GET /b");
        line.say();
        lines.clear();
        policy.set(Policy.builder().build());
        line.say();
        assertThat(lines).isEmpty();
        policy.set(Policy.builder().build());
        names = List.of("GET /b");
        line.say();
        policy.set(Policy.builder().build());
        names = List.of();
        line.say();
        assertThat(lines)
                .containsExactly(
                        "WARNING annotated endpoints that cancel: GET /b",
                        "WARNING annotated endpoints that cancel: none any more");
    }

    @Test
    void whatAnotherLineHasSaidIsNotSaidAgain() {
        names = IntStream.range(10, 33).mapToObj(i -> "GET /" + i).toList();
        assertThat(line.first())
                .startsWith("annotated endpoints that cancel: GET /10, GET /11, ")
                .endsWith(", GET /29 and 3 more");
        line.say();
        assertThat(lines).isEmpty();
    }

    @Test
    void ofThoseThatAreKnownLateTheFirstIsSaid() {
        line.late("GET /a");
        line.late("GET /b");
        assertThat(lines).singleElement().asString().contains("when a request has come there: GET /a; the metric");
    }

    @Override
    public void publish(LogRecord entry) {
        lines.add(entry.getLevel() + " " + entry.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
