package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.Planted;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.Unwatched;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import org.eclipse.jetty.ee99.Faces;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Requests of a container that no watch knows, or knows no more: the kernel's table finds their connections by their addresses. */
@EnabledOnOs(OS.LINUX)
final class UnknownContainerIT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(2500)))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();

    @EachContainer
    @DisplayName("case 62: an unknown container's callers are found in the kernel's table")
    void departuresAreSeen(ContainerKind kind) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup();
                Container container = kind.start(site(hangup, Serializable.class, Map.of()));
                RawClient staying = RawClient.connect(container).get("/gate")) {
            finAndResetAreSeen(container);
            gate.open();
            assertThat(staying.response().body()).isEqualTo("opened");
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(1));
            for (Unwatched cause : Unwatched.values()) {
                assertThat(ledger.of(cause)).as("%s", cause).isZero();
            }
            logged.assertNoAlarms();
        }
    }

    /** As a valve or a filter rewrites them. */
    @EachContainer
    void callersWhoseAddressIsNotTheConnectionsAreUnwatchedAndTheirDeadlinesHold(ContainerKind kind) throws Exception {
        Map<String, Object> lies = Map.of("getRemoteAddr", "203.0.113.9");
        unwatched(kind, lies, Unwatched.UNKNOWN_CONTAINER);
    }

    /** Nobody asks the name service who that is. */
    @EachContainer
    void namesAreNoAddresses(ContainerKind kind) throws Exception {
        unwatched(kind, Map.of("getRemoteAddr", "caller.example.com"), Unwatched.UNKNOWN_CONTAINER);
    }

    @Test
    void streamsShareTheirConnection() throws Exception {
        unwatched(ContainerKind.JETTY, Map.of("getProtocol", "HTTP/2.0"), Unwatched.HTTP_2);
    }

    @Test
    void containerWhoseInternalsHaveChangedFallsBackOnTheTable() throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup();
                Container container = ContainerKind.JETTY.start(site(hangup, Faces.changed(), Map.of()))) {
            finAndResetAreSeen(container);
            assertThat(ledger.of(Unwatched.INTERNALS_CHANGED)).isZero();
            assertOneWarning(logged, "org.eclipse.jetty.ee99.", "getRequest");
        }
    }

    /** They are where they were, and do not answer. */
    @EachContainer
    void watchThatFailsFallsBackOnTheTable(ContainerKind kind) throws Exception {
        Liar failing = new Liar();
        failing.fail();
        try (Logged logged = Logged.begin();
                Hangup hangup = Planted.watch(Hangup.builder().policy(POLICY).listener(ledger), failing);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/gate", gate))) {
            finAndResetAreSeen(container);
            assertThat(ledger.of(Unwatched.INTERNALS_CHANGED)).isZero();
            assertOneWarning(logged, "liar", "Connection.getBytesIn has moved");
        }
    }

    @Test
    void andOnTheDeadlineWhereTheTableDoesNotHelp() throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup();
                Container container = ContainerKind.JETTY.start(
                        site(hangup, Faces.changed(), Map.of("getRemoteAddr", "203.0.113.9")))) {
            leaveAndStayUnseen(container, Unwatched.INTERNALS_CHANGED);
            assertOneWarning(logged, "org.eclipse.jetty.ee99.", "getRequest");
        }
    }

    private void unwatched(ContainerKind kind, Map<String, Object> lies, Unwatched cause) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup();
                Container container = kind.start(site(hangup, Serializable.class, lies))) {
            leaveAndStayUnseen(container, cause);
            if (cause == Unwatched.UNKNOWN_CONTAINER) {
                assertOneWarning(logged, "UNKNOWN_CONTAINER", "Proxy");
            }
        }
    }

    private void finAndResetAreSeen(Container container) throws Exception {
        int before = gate.entered.get();
        RawClient closing = RawClient.connect(container).get("/gate");
        RawClient resetting = RawClient.connect(container).get("/gate");
        await().untilAsserted(() -> assertThat(gate.entered).hasValueGreaterThanOrEqualTo(before + 2));
        // Seen once: what was never listed could not be missed.
        await().during(Duration.ofMillis(600)).until(() -> ledger.departures() == 0);
        closing.close();
        resetting.rst();
        await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(2));
        assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isEqualTo(1);
        assertThat(ledger.cancelled(CancelReason.CALLER_RESET)).isEqualTo(1);
    }

    private void leaveAndStayUnseen(Container container, Unwatched cause) throws Exception {
        try (RawClient staying = RawClient.connect(container).get("/late");
                RawClient leaving = RawClient.connect(container).get("/late")) {
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(2));
            leaving.close();
            assertThat(staying.response().status()).isEqualTo(504);
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(2));
            assertThat(ledger.of(cause)).isEqualTo(2);
            assertThat(ledger.departures()).isZero();
            assertThat(ledger.cancelled(CancelReason.ENDPOINT_DEADLINE)).isEqualTo(2);
        }
    }

    private static void assertOneWarning(Logged logged, String... parts) {
        assertThat(logged.alarms()).singleElement().asString().contains(parts);
    }

    private Site site(Hangup hangup, Class<?> face, Map<String, Object> lies) {
        return new Site()
                .filter(new Disguise(new HangupFilter(hangup), face, lies))
                .servlet("/gate", gate)
                .servlet("/late", gate);
    }

    private Hangup hangup() {
        return Hangup.builder().policy(POLICY).listener(ledger).build();
    }
}
