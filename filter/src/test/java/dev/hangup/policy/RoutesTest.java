package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hangup.call.CallerAware;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What frameworks say of endpoints, before and after a request is routed. */
final class RoutesTest {

    @CallerAware(deadline = "12s")
    private static final class Slow {}

    @CallerAware(interrupt = false)
    private static final class Silent {}

    @CallerAware(deadline = "soon")
    private static final class Malformed {}

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                    deadlines:
                      defaults: { normal: 20s }
                      endpoints:
                        "GET /orders/{id}":   { normal: 3s }
                        "GET /watched/{id}":  { mode: observe }
                        "GET /left/{id}":     { mode: off }
                    """).policy();

    private final Routes routes = new Routes();

    private static CallerAware on(Class<?> type) {
        return Objects.requireNonNull(type.getAnnotation(CallerAware.class));
    }

    private Rule find(Policy policy, String method, String path) {
        return Objects.requireNonNull(routes.find(policy, policy.ruleFor(method, path), method, path, "web"));
    }

    @Test
    void whoeverAsksFirstLeavesThemForTheOthers() {
        Map<String, Object> attributes = new HashMap<>();
        Routes first = Routes.of(attributes::get, attributes::put);
        assertThat(attributes).containsOnlyKeys(Routes.ATTRIBUTE);
        assertThat(Routes.of(attributes::get, attributes::put)).isSameAs(first);
    }

    @Test
    void anAnnotatedTemplateDecidesBeforeTheRequestIsRouted() {
        assertThat(routes.isEmpty()).isTrue();
        routes.register("GET /reports/{id}", on(Slow.class));
        assertThat(routes.isEmpty()).isFalse();
        Rule rule = find(POLICY, "GET", "/reports/7");
        assertThat(rule.endpoint()).isEqualTo("GET /reports/{id}");
        assertThat(rule.deadline()).isEqualTo(Duration.ofSeconds(12));
        assertThat(rule.treatment().cancels()).isTrue();
        assertThat(rule.treatment().named()).isTrue();
        assertThat(find(POLICY, "HEAD", "/reports/7").endpoint()).isEqualTo("GET /reports/{id}");
        assertThat(routes.find(POLICY, POLICY.ruleFor("GET", "/else"), "GET", "/else", "web"))
                .isNull();
        assertThat(routes.find(POLICY, POLICY.ruleFor("POST", "/reports/7"), "POST", "/reports/7", "web"))
                .isNull();
    }

    /** What comes to another servlet is never routed, and so nobody would put it right. */
    @Test
    void anEndpointIsItsServletsIfThatIsSaid() {
        routes.register("web", "GET /reports/{id}", on(Slow.class));
        routes.register("GET /reports/latest", on(Silent.class));
        assertThat(find(POLICY, "GET", "/reports/7").endpoint()).isEqualTo("GET /reports/{id}");
        Rule found = POLICY.ruleFor("GET", "/reports/7");
        assertThat(routes.find(POLICY, found, "GET", "/reports/7", "else")).isNull();
        assertThat(routes.find(POLICY, found, "GET", "/reports/7", null)).isNull();
        assertThat(Objects.requireNonNull(routes.find(POLICY, found, "GET", "/reports/latest", "else"))
                        .endpoint())
                .isEqualTo("GET /reports/latest");
    }

    @Test
    void theAnnotationsSilenceIsThePolicysDefault() {
        routes.register("GET /reports/{id}", on(Silent.class));
        Rule rule = find(POLICY, "GET", "/reports/7");
        assertThat(rule.deadline()).isEqualTo(Duration.ofSeconds(20));
        assertThat(rule.treatment().interrupts()).isFalse();
    }

    /** Of the same shape under another name, and one that is wider. */
    @ParameterizedTest
    @CsvSource({
        "GET /orders/{order}, /orders/7, GET /orders/{id}, 3, true",
        "GET /orders/latest, /orders/latest, GET /orders/{id}, 3, true",
        "GET /watched/{id}, /watched/7, GET /watched/{id}, 12, false",
        "GET /left/{id}, /left/7, GET /left/{id}, 12, false",
    })
    void theFilesEntryGoesFirstKeyByKey(String template, String path, String name, int seconds, boolean cancels) {
        routes.register(template, on(Slow.class));
        Rule rule = find(POLICY, "GET", path);
        assertThat(rule.endpoint()).isEqualTo(name);
        assertThat(rule.deadline()).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(rule.treatment().cancels()).isEqualTo(cancels);
        assertThat(find(POLICY, "GET", path)).isSameAs(rule);
    }

    @Test
    void theMostSpecificTemplateDecides() {
        routes.register("GET /reports/{id}", on(Slow.class));
        routes.register("GET /reports/latest", on(Silent.class));
        assertThat(find(POLICY, "GET", "/reports/latest").endpoint()).isEqualTo("GET /reports/latest");
        assertThat(find(POLICY, "GET", "/reports/old").endpoint()).isEqualTo("GET /reports/{id}");
    }

    @Test
    void aNewPolicyMakesNewRules() {
        routes.register("GET /reports/{id}", on(Silent.class));
        assertThat(find(POLICY, "GET", "/reports/7").deadline()).isEqualTo(Duration.ofSeconds(20));
        assertThat(find(Policy.defaults(), "GET", "/reports/7").deadline()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void whoFollowsHearsOfEarlierAndLaterOnes() {
        List<String> heard = new ArrayList<>();
        routes.register("GET /early/{id}", on(Slow.class));
        routes.follow(POLICY, rule -> heard.add(rule.toString()));
        routes.register("GET /late/{id}", on(Slow.class));
        assertThat(heard).containsExactly("GET /early/{id} (cancel, 12s)", "GET /late/{id} (cancel, 12s)");
        find(POLICY, "GET", "/early/7");
        assertThat(heard).hasSize(2);
        routes.unfollow();
        routes.register("GET /last/{id}", on(Slow.class));
        assertThat(heard).hasSize(2);
    }

    @Test
    void whatCancelsIsSaidWhenAFrameworkHasRegisteredItAndWhatIsSeenLaterByItself() {
        List<String> heard = new ArrayList<>();
        routes.tell(() -> heard.addAll(routes.cancelling(POLICY)), heard::add);
        routes.register("GET /reports/{id:[0-9]+}", on(Slow.class));
        routes.register("GET /watched/{nr}", on(Slow.class));
        routes.register("GET /orders/{nr}", on(Slow.class));
        routes.register("GET /files/**", on(Slow.class));
        assertThat(heard).isEmpty();
        routes.registered();
        assertThat(heard).containsExactly("GET /files/**", "GET /orders/{id}", "GET /reports/{id}");
        heard.clear();
        for (String known : List.of("GET /reports/{id:[0-9]+}", "GET /orders/{nr}", "GET /files/**")) {
            routes.route(known, on(Slow.class)).rule(POLICY, Rule.UNMATCHED);
        }
        routes.route("GET /watched/{other}/late", null).rule(POLICY, Rule.UNMATCHED);
        assertThat(heard).isEmpty();
        routes.route("GET /late/{id}", on(Slow.class)).rule(POLICY, Rule.UNMATCHED);
        assertThat(heard).containsExactly("GET /late/{id}");
        routes.unfollow();
        routes.registered();
        assertThat(heard).hasSize(1);
    }

    @Test
    void whatIsMalformedIsRefusedAndChangesNothing() {
        assertThatThrownBy(() -> routes.register("GET /reports/{id}", on(Malformed.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"soon\"")
                .hasMessageContaining("expected");
        assertThatThrownBy(() -> routes.register("GET /files/**", on(Malformed.class)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(routes.register("GET /files/**", on(Slow.class))).isFalse();
        assertThat(routes.isEmpty()).isTrue();
    }

    @Test
    void aRouteNamesWhatNobodyHasNamed() {
        Rule plain = routes.route("GET /plain/{id}", null).rule(POLICY, "GET /*");
        assertThat(plain.endpoint()).isEqualTo("GET /plain/{id}");
        assertThat(plain.named()).isFalse();
        assertThat(plain.treatment()).isSameAs(POLICY.byDefault("GET").treatment());
        Policy cancelling = Policy.builder().mode(Mode.CANCEL).build();
        assertThat(routes.route("GET /plain", null)
                        .rule(cancelling, Rule.UNMATCHED)
                        .treatment()
                        .cancels())
                .isTrue();
        assertThat(routes.route("POST /plain", null)
                        .rule(cancelling, Rule.UNMATCHED)
                        .treatment()
                        .cancels())
                .isFalse();
    }

    /** The path did not match the entry, for example for an encoded slash; the route does. */
    @Test
    void aRouteFindsTheEntryOfItsShape() {
        Route route = routes.route("GET /orders/{order}", null);
        assertThat(route.rule(POLICY, Rule.UNMATCHED)).isSameAs(POLICY.ruleFor("GET", "/orders/7"));
        assertThat(route.rule(POLICY, "GET /watched/{id}").endpoint()).isEqualTo("GET /watched/{id}");
    }

    @Test
    void anAnnotatedRouteKeepsItsRule() {
        List<String> heard = new ArrayList<>();
        routes.follow(POLICY, rule -> heard.add(rule.toString()));
        Route route = routes.route("GET /files/**", on(Slow.class));
        Rule rule = route.rule(POLICY, Rule.UNMATCHED);
        assertThat(rule.endpoint()).isEqualTo("GET /files/**");
        assertThat(rule.deadline()).isEqualTo(Duration.ofSeconds(12));
        assertThat(route.rule(POLICY, Rule.UNMATCHED)).isSameAs(rule);
        assertThat(route.rule(POLICY, "GET /orders/{id}").deadline()).isEqualTo(Duration.ofSeconds(3));
        assertThat(heard).containsExactly("GET /files/** (cancel, 12s)", "GET /orders/{id} (cancel, 3s)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /a/{id}/b         | GET /a/{id}/b",
                "GET /a/{id: [0-9]+}/b | GET /a/{id}/b",
                "GET /a/{id:\\d{4}}    | GET /a/{id}",
                "GET /a/{ id }.{x:.*}  | GET /a/{id}.{x}",
                "GET /a/{*rest}        | GET /a/{*rest}",
                "GET /{ y : [0-9]{4} }-{m:\\d{2}}/x:y | GET /{y}-{m}/x:y",
                "GET /files/{path: .+/[^/]{1,{2}}}/end | GET /files/{path}/end",
                "GET /a/{open          | GET /a/{open",
                "GET /a}b              | GET /a}b",
            })
    void whatAVariableMustLookLikeIsLeftOut(String written, String plain) {
        assertThat(Routes.plain(written)).isEqualTo(plain);
        assertThat(routes.route(written, null).toString()).isEqualTo(plain);
    }
}
