package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CallerDeadlineTest {

    @Test
    void nobodyIsListenedToUnlessItIsSaid() throws UnknownHostException {
        Policy policy = Policy.defaults();
        assertThat(policy.listens()).isFalse();
        assertThat(policy.callerDeadline()).isEqualTo(CallerDeadline.OFF);
        assertThat(policy.callerDeadline().trusts(InetAddress.getLoopbackAddress()))
                .isFalse();
        assertThat(CallerDeadline.OFF.floor()).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void isReadFromAFile() throws UnknownHostException {
        Policy policy = PolicyFile.parse("hangup.yaml", """
                        caller-deadline:
                          headers: [grpc-timeout, prefer-wait]
                          trusted: [127.0.0.0/8, fd00::/8]
                          floor: 20ms
                        """).policy();
        CallerDeadline callers = policy.callerDeadline();
        assertThat(callers.headers()).extracting(DeadlineHeader::name).containsExactly("grpc-timeout", "prefer-wait");
        assertThat(callers.trusts(InetAddress.getByName("127.0.0.9"))).isTrue();
        assertThat(callers.trusts(InetAddress.getByName("fd12::1"))).isTrue();
        assertThat(callers.trusts(InetAddress.getByName("128.0.0.1"))).isFalse();
        assertThat(callers.floor()).isEqualTo(Duration.ofMillis(20));
        assertThat(policy.listens()).isTrue();
    }

    @Test
    void aSingleValueNeedsNoList() {
        CallerDeadline callers = PolicyFile.parse(
                        "hangup.yaml", "caller-deadline: { headers: grpc-timeout, trusted: 10.0.0.1 }")
                .policy()
                .callerDeadline();
        assertThat(callers.headers()).hasSize(1);
        assertThat(callers.trusted()).hasToString("[10.0.0.1]");
    }

    /** Or what is malformed would be counted twice. */
    @Test
    void aHeaderThatIsNamedTwiceIsReadOnce() {
        CallerDeadline callers = PolicyFile.parse(
                        "hangup.yaml",
                        "caller-deadline: { headers: [grpc-timeout, x-test-seconds, grpc-timeout, x-test-seconds] }")
                .policy()
                .callerDeadline();
        assertThat(callers.headers())
                .extracting(DeadlineHeader::name)
                .containsExactly("grpc-timeout", "x-test-seconds");
    }

    @Test
    void theStartHeaderIsEnoughToListen() {
        assertThat(Policy.builder()
                        .settings(Settings.DEFAULTS.withRequestStartHeader("x-request-start"))
                        .build()
                        .listens())
                .isTrue();
    }
}
