package dev.hangup.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.watch.Inquiry.Finding;
import dev.hangup.watch.KernelTable.State;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kernel's answers mean, one after the other. */
final class InquiryTest {

    private static final Route ROUTE = new Route(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 80),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 40000));

    private final Watcher watcher = new Watcher(List.of(), () -> Duration.ZERO);
    private final Scans scans = new Scans(routes -> Map.of(), watcher);

    @BeforeEach
    void start() {
        watcher.start();
    }

    @AfterEach
    void close() {
        watcher.close();
        scans.close();
    }

    @Test
    void finCountsAtOnce() {
        assertThat(findings(true, State.CALLER_CLOSED)).containsExactly(Finding.CLOSED);
        assertThat(findings(false, State.CALLER_CLOSED)).containsExactly(Finding.CLOSED);
    }

    @Test
    void missingRowCountsWhenMissedTwiceInARow() {
        assertThat(findings(true, State.MISSING, State.MISSING)).containsExactly(Finding.AGAIN, Finding.RESET);
        assertThat(findings(true, State.MISSING, State.ESTABLISHED, State.MISSING, State.MISSING))
                .containsExactly(Finding.AGAIN, Finding.PRESENT, Finding.AGAIN, Finding.RESET);
    }

    @Test
    void connectionThatOurSideHasClosedIsNoDeparture() {
        Inquiry inquiry = inquiry(true);
        assertThat(inquiry.judge(State.MISSING, false)).isEqualTo(Finding.PRESENT);
        assertThat(inquiry.judge(State.MISSING, false)).isEqualTo(Finding.PRESENT);
        assertThat(inquiry.judge(State.CLOSING, true)).isEqualTo(Finding.PRESENT);
    }

    @Test
    void addressesThatARequestClaimsCountOnlyOnceListed() {
        assertThat(findings(false, State.MISSING)).containsExactly(Finding.UNLISTED);
        assertThat(findings(false, State.ESTABLISHED, State.MISSING, State.MISSING))
                .containsExactly(Finding.PRESENT, Finding.AGAIN, Finding.RESET);
    }

    @Test
    void tableOfAnotherNamespaceSaysNothing() {
        assertThat(findings(true, State.UNKNOWN, State.UNKNOWN)).containsExactly(Finding.UNLISTED, Finding.UNLISTED);
        // A container that stops closes its listener first.
        assertThat(findings(true, State.ESTABLISHED, State.UNKNOWN, State.UNKNOWN))
                .containsExactly(Finding.PRESENT, Finding.AGAIN, Finding.RESET);
    }

    @Test
    void tableThatCannotBeReadSaysNothing() {
        assertThat(findings(true, State.ESTABLISHED, null, null, null))
                .containsExactly(Finding.PRESENT, Finding.PRESENT, Finding.PRESENT, Finding.PRESENT);
        assertThat(findings(true, State.MISSING, null)).containsExactly(Finding.AGAIN, Finding.UNLISTED);
    }

    private Finding[] findings(boolean certain, @Nullable State... states) {
        Inquiry inquiry = inquiry(certain);
        Finding[] findings = new Finding[states.length];
        for (int i = 0; i < states.length; i++) {
            findings[i] = inquiry.judge(states[i], true);
        }
        return findings;
    }

    private Inquiry inquiry(boolean certain) {
        return new Inquiry(scans, ROUTE, certain, state -> {});
    }
}
