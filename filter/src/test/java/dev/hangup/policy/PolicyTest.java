package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hangup.call.Treatment;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyTest {

    private static final Duration TEN = Duration.ofSeconds(10);

    @Test
    void byDefaultEverythingIsObservedUnderADeadline() {
        Instant before = Instant.now();
        Policy policy = Policy.defaults();
        Rule rule = policy.ruleFor("GET", "/any");

        assertThat(rule.endpoint()).isEqualTo("UNMATCHED");
        assertThat(rule.deadline()).isEqualTo(Duration.ofSeconds(30));
        assertThat(rule.treatment()).isEqualTo(new Treatment(false, false, true, false, Duration.ofSeconds(2), TEN));
        assertThat(rule.off()).isFalse();
        assertThat(rule.named()).isFalse();
        assertThat(policy.settings()).isEqualTo(Settings.DEFAULTS);
        assertThat(policy.mode()).isEqualTo(Mode.OBSERVE);
        assertThat(policy.halfClose()).isEqualTo(HalfClose.GONE);
        assertThat(policy.zone().getId()).isEqualTo("UTC");
        assertThat(policy.rules()).isEmpty();
        assertThat(policy.loadedAt()).isBetween(before, Instant.now());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void globalCancelCoversReads(String method) {
        Rule rule = Policy.builder().mode(Mode.CANCEL).build().ruleFor(method, "/any");

        assertThat(rule.treatment().cancels()).isTrue();
        assertThat(rule.treatment().interrupts()).isTrue();
        assertThat(rule.treatment().named()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "get", "HEAd", "", "BREW", "G\u0000T"})
    void globalCancelLeavesEveryOtherMethodObserved(String method) {
        Rule rule = Policy.builder().mode(Mode.CANCEL).build().ruleFor(method, "/any");

        assertThat(rule.endpoint()).isEqualTo("UNMATCHED");
        assertThat(rule.mode()).isEqualTo(Mode.OBSERVE);
        assertThat(rule.treatment().cancels()).isFalse();
        assertThat(rule.treatment().interrupts()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void globalOffSwitchesEveryMethodOff(String method) {
        assertThat(Policy.builder()
                        .mode(Mode.OFF)
                        .build()
                        .ruleFor(method, "/any")
                        .off())
                .isTrue();
    }

    @Test
    void anEntryWithoutAModeInheritsTheGlobalOneWhateverItsMethod() {
        Policy policy = Policy.builder()
                .mode(Mode.CANCEL)
                .endpoint("POST /orders", Entry.INHERITED)
                .build();

        assertThat(policy.ruleFor("POST", "/orders").treatment().cancels()).isTrue();
        assertThat(policy.ruleFor("POST", "/others").treatment().cancels()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anEntrysModeHoldsUnderEveryGlobalMode(Mode global) {
        Policy policy = Policy.builder()
                .mode(global)
                .endpoint("GET /a", Entry.of(Mode.CANCEL))
                .endpoint("GET /b", Entry.of(Mode.OBSERVE))
                .endpoint("GET /c", Entry.of(Mode.OFF))
                .build();

        assertThat(policy.ruleFor("GET", "/a").treatment().cancels()).isTrue();
        assertThat(policy.ruleFor("GET", "/b").mode()).isEqualTo(Mode.OBSERVE);
        assertThat(policy.ruleFor("GET", "/b").treatment().cancels()).isFalse();
        assertThat(policy.ruleFor("GET", "/c").off()).isTrue();
    }

    @Test
    void anEntrySaysWhatItSaysAndInheritsTheRest() {
        Policy policy = Policy.builder()
                .halfClose(HalfClose.TOLERATE)
                .deadline(TEN)
                .settings(Settings.DEFAULTS
                        .withEscalateAfter(Duration.ofSeconds(1))
                        .withStuckAfter(Duration.ofSeconds(3)))
                .endpoint("GET /a", Entry.of(Mode.CANCEL).interrupt(false).normal(Duration.ofSeconds(45)))
                .endpoint("GET /b", Entry.of(Mode.CANCEL).halfClose(HalfClose.GONE))
                .build();

        Rule a = policy.ruleFor("GET", "/a");
        assertThat(a.deadline()).isEqualTo(Duration.ofSeconds(45));
        assertThat(a.treatment())
                .isEqualTo(new Treatment(true, false, false, true, Duration.ofSeconds(1), Duration.ofSeconds(3)));
        Rule b = policy.ruleFor("GET", "/b");
        assertThat(b.deadline()).isEqualTo(TEN);
        assertThat(b.treatment().halfCloseIsGone()).isTrue();
        assertThat(b.treatment().interrupts()).isTrue();
        assertThat(policy.ruleFor("GET", "/c").treatment().halfCloseIsGone()).isFalse();
        assertThat(policy.ruleFor("GET", "/c").deadline()).isEqualTo(TEN);
    }

    @Test
    void oneTreatmentForEveryCallOfARule() {
        Policy policy = Policy.builder().endpoint("GET /a", Entry.INHERITED).build();

        assertThat(policy.ruleFor("GET", "/a").treatment())
                .isSameAs(policy.ruleFor("GET", "/a").treatment());
        assertThat(policy.ruleFor("GET", "/a")).isSameAs(policy.ruleFor("HEAD", "/a"));
    }

    @Test
    void rulesAreThoseOfTheEntriesInOrder() {
        Policy policy = Policy.builder()
                .endpoint("GET /b", Entry.INHERITED)
                .endpoint("GET /a", Entry.INHERITED)
                .build();

        assertThat(policy.rules()).extracting(Rule::endpoint).containsExactly("GET /b", "GET /a");
        assertThat(policy.rules()).allMatch(Rule::named);
        assertThatThrownBy(() -> policy.rules().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aLaterEntryForTheSameRequestsReplacesTheEarlier() {
        Policy policy = Policy.builder()
                .endpoint("GET /a/{id}", Entry.of(Mode.CANCEL))
                .endpoint("GET /a/{key}", Entry.of(Mode.OBSERVE))
                .build();

        assertThat(policy.rules()).extracting(Rule::toString).containsExactly("GET /a/{key} (observe, 30s)");
    }

    @Test
    void aBuilderGoesOnAfterBuilding() {
        PolicyBuilder builder = Policy.builder().endpoint("GET /a", Entry.INHERITED);
        Policy first = builder.build();
        builder.endpoint("GET /b", Entry.INHERITED).mode(Mode.OFF);

        assertThat(first.rules()).hasSize(1);
        assertThat(first.mode()).isEqualTo(Mode.OBSERVE);
        assertThat(builder.build().rules()).hasSize(2);
    }

    @Test
    void describesItselfInOneLine() {
        assertThat(Policy.defaults().describe())
                .isEqualTo("mode observe, half-close gone, deadline 30s, cancels nothing");
        PolicyBuilder builder = Policy.builder()
                .deadline(Duration.ofMillis(1500))
                .halfClose(HalfClose.TOLERATE)
                .endpoint("GET /a", Entry.of(Mode.CANCEL))
                .endpoint("GET /b", Entry.of(Mode.OBSERVE))
                .endpoint("POST /c", Entry.of(Mode.CANCEL));
        assertThat(builder.build().describe())
                .isEqualTo("mode observe, half-close tolerate, deadline 1500ms, cancels GET /a, POST /c");
        assertThat(builder.mode(Mode.CANCEL).build().describe())
                .endsWith("cancels GET and HEAD by default, GET /a, POST /c");
        assertThat(Policy.builder().mode(Mode.CANCEL).build().describe()).endsWith("cancels GET and HEAD by default");
    }

    @Test
    void describesOnlyTheFirstOfMany() {
        PolicyBuilder builder = Policy.builder();
        for (int i = 0; i < 23; i++) {
            builder.endpoint("GET /" + i, Entry.of(Mode.CANCEL));
        }
        assertThat(builder.build().describe()).endsWith("GET /18, GET /19 and 3 more");
    }

    @Test
    void refusesDeadlinesThatAreNone() {
        assertThatThrownBy(() -> Policy.builder().deadline(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("deadline must be above zero");
        assertThatThrownBy(() -> Entry.INHERITED.normal(Duration.ofSeconds(-1)))
                .hasMessage("normal must be from 0 to 365 days, not PT-1S");
        assertThatThrownBy(() -> Policy.builder().endpoint("/orders", Entry.INHERITED))
                .hasMessage("\"/orders\": not an endpoint; expected a method and a path such as \"GET /reports/{id}\"");
    }

    @Test
    void settingsKeepTheirBounds() {
        Settings all = Settings.DEFAULTS;
        Duration negative = Duration.ofMillis(-1);

        assertThat(all.withGrace(Duration.ZERO).grace()).isZero();
        assertThat(all.withDrain(Duration.ZERO).drain()).isZero();
        assertThat(all.withRetryAfter(TEN).retryAfter()).isEqualTo(TEN);
        assertThat(all.withDeadlineStatus(503).deadlineStatus()).isEqualTo(503);
        assertThatThrownBy(() -> all.withGrace(negative)).hasMessageStartingWith("grace must be from 0");
        assertThatThrownBy(() -> all.withDrain(negative)).hasMessageStartingWith("drain must be from 0");
        assertThatThrownBy(() -> all.withEscalateAfter(Duration.ZERO)).hasMessage("escalateAfter must be above zero");
        assertThatThrownBy(() -> all.withStuckAfter(Duration.ZERO)).hasMessage("stuckAfter must be above zero");
        assertThatThrownBy(() -> all.withRetryAfter(Duration.ZERO)).hasMessage("retryAfter must be above zero");
        assertThatThrownBy(() -> all.withStuckAfter(Duration.ofDays(366))).hasMessageContaining("365 days");
        assertThatThrownBy(() -> all.withDeadlineStatus(200))
                .hasMessage("deadlineStatus must be from 400 to 599, not 200");
    }
}
