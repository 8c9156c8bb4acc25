package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EndpointIndexTest {

    private static final List<String> ENDPOINTS = List.of(
            "GET /",
            "GET /reports",
            "GET /reports/{id}",
            "GET /reports/latest",
            "GET /reports/{id}/pages/{page}",
            "GET /reports/{id}/pages/first",
            "GET /reports/latest/{part}/all",
            "GET /reports/report-{id}",
            "GET /reports/{name}.pdf",
            "GET /reports/report-{id}.pdf",
            "GET /ranges/{from}..{to}",
            "GET /a/{x}/summaries",
            "GET /a/bb/{y}",
            "GET /{tenant}/users",
            "GET /b/{y}",
            "GET /{x}/b",
            "HEAD /reports/latest",
            "POST /reports",
            "PROPFIND /dav/{file}");

    @ParameterizedTest
    @CsvSource({
        "GET /, GET /",
        "GET /reports, GET /reports",
        "GET /reports/, GET /reports",
        "GET /reports/7, GET /reports/{id}",
        "GET /reports/7/, GET /reports/{id}",
        "GET /reports/{id}, GET /reports/{id}",
        "GET /reports/latest, GET /reports/latest",
        "GET /reports/latestt, GET /reports/{id}",
        "GET /reports/Latest, GET /reports/{id}",
        "GET /reports/7/pages/8, GET /reports/{id}/pages/{page}",
        "GET /reports/7/pages/first, GET /reports/{id}/pages/first",
        "GET /reports/latest/pages/first, GET /reports/{id}/pages/first",
        "GET /reports/latest/pages/all, GET /reports/latest/{part}/all",
        "GET /reports/latest/pages/9, GET /reports/{id}/pages/{page}",
        "GET /reports/report-7, GET /reports/report-{id}",
        "GET /reports/report-, GET /reports/{id}",
        "GET /reports/a.pdf, GET /reports/{name}.pdf",
        "GET /reports/.pdf, GET /reports/{id}",
        "GET /reports/report-7.pdf, GET /reports/report-{id}.pdf",
        "GET /reports/report-.pdf, GET /reports/report-{id}",
        "GET /ranges/1..2, GET /ranges/{from}..{to}",
        "GET /ranges/1...2, GET /ranges/{from}..{to}",
        "GET /a/bb/summaries, GET /a/{x}/summaries",
        "GET /a/bb/others, GET /a/bb/{y}",
        "GET /acme/users, GET /{tenant}/users",
        "GET /b/b, GET /b/{y}",
        "HEAD /reports/latest, HEAD /reports/latest",
        "HEAD /reports/7, GET /reports/{id}",
        "POST /reports, POST /reports",
        "PROPFIND /dav/x, PROPFIND /dav/{file}",
    })
    void theMostSpecificTemplateWins(String request, String endpoint) {
        for (int seed = 0; seed < 20; seed++) {
            assertThat(endpointOf(shuffled(seed), request)).isEqualTo(endpoint);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /other",
        "GET //",
        "GET /reports//",
        "GET //reports",
        "GET /reports/7//pages",
        "GET /reports/7/pages",
        "GET /reports/7/pages/8/9",
        "GET /ranges/1..",
        "GET /ranges/..2",
        "GET /ranges/..",
        "GET /ranges/1.2",
        "POST /reports/7",
        "DELETE /reports",
        "get /reports",
        "HEAD /other",
        "OPTIONS *",
        "CONNECT example.com:443",
        "GET reports",
    })
    void whatNoTemplateMatchesIsUnmatched(String request) {
        assertThat(endpointOf(shuffled(1), request)).isEqualTo(Rule.UNMATCHED);
    }

    @Test
    void anEmptyPathIsTheRoot() {
        assertThat(shuffled(1).ruleFor("GET", "").endpoint()).isEqualTo("GET /");
        assertThat(Policy.defaults().ruleFor("GET", "").endpoint()).isEqualTo(Rule.UNMATCHED);
    }

    @Test
    void agreesWithALinearSearch() {
        Random random = new Random(7);
        String[] segments = {"a", "b", "ab", "{x}", "a{x}", "{x}b", "a{x}b", "{x}a{y}"};
        String[] pieces = {"a", "b", "ab", "aab", "bab", "aabb", "ba"};
        for (int round = 0; round < 300; round++) {
            PolicyBuilder builder = Policy.builder();
            List<Template> templates = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                Template template = Template.parse("GET " + path(random, segments));
                if (templates.stream().noneMatch(t -> t.shape().equals(template.shape()))) {
                    templates.add(template);
                    builder.endpoint(template, Entry.INHERITED);
                }
            }
            templates.sort(Template.MOST_SPECIFIC_FIRST);
            Policy policy = builder.build();
            for (int i = 0; i < 50; i++) {
                String path = path(random, pieces);
                String expected = templates.stream()
                        .filter(template -> path.matches(
                                template.name().substring("GET ".length()).replaceAll("\\{[a-z]}", "[^/]+")))
                        .map(Template::name)
                        .findFirst()
                        .orElse(Rule.UNMATCHED);
                assertThat(policy.ruleFor("GET", path).endpoint())
                        .as("%s among %s", path, templates)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aLongOrDeepPathCostsNothingUnusual() {
        Policy policy = shuffled(1);

        assertThat(policy.ruleFor("GET", "/reports/" + "x".repeat(1_000_000)).endpoint())
                .isEqualTo("GET /reports/{id}");
        assertThat(policy.ruleFor("GET", "/reports".repeat(100_000)).endpoint()).isEqualTo(Rule.UNMATCHED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/orders|not an endpoint",
                "GET|not an endpoint",
                "GET orders|not an endpoint",
                "''|not an endpoint",
                "get /orders|\"get\" is no method",
                "G*T /orders|\"G*T\" is no method",
                "GET /a//b|an empty segment in the path",
                "GET //|an empty segment in the path",
                "GET /a/**|a \"*\" in the path",
                "GET /a?x=1|a \"?\" in the path",
                "GET /a;v=1|a \";\" in the path",
                "GET /{id|a malformed variable in \"{id\"",
                "GET /{}|a malformed variable in \"{}\"",
                "GET /{id: [0-9]+}|a malformed variable in \"{id: [0-9]+}\"",
                "GET /a}|a \"}\" without its \"{\"",
                "GET /{a}}|a \"}\" without its \"{\"",
                "GET /{a}{b}|two variables without a literal between them"
            })
    void saysWhatIsWrongWithATemplate(String text, String problem) {
        assertThatThrownBy(() -> Template.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("\"" + text + "\": " + problem + "; expected ");
    }

    @Test
    void aTemplateHasABearableLength() {
        assertThatThrownBy(() -> Template.parse("GET " + "/a".repeat(501))).hasMessageContaining("too long");
        assertThat(Template.parse("GET " + "/a".repeat(500)).segments()).hasSize(500);
    }

    @Test
    void spacesAndASlashAtTheEndDoNotMakeAnotherEndpoint() {
        Template template = Template.parse("GET   /a/{b}/");

        assertThat(template.name()).isEqualTo("GET /a/{b}/");
        assertThat(template.shape()).isEqualTo(Template.parse("GET /a/{c}").shape());
    }

    private static Policy shuffled(int seed) {
        List<String> order = new ArrayList<>(ENDPOINTS);
        Collections.shuffle(order, new Random(seed));
        PolicyBuilder builder = Policy.builder();
        order.forEach(endpoint -> builder.endpoint(endpoint, Entry.INHERITED));
        return builder.build();
    }

    private static String endpointOf(Policy policy, String request) {
        int space = request.indexOf(' ');
        return policy.ruleFor(request.substring(0, space), request.substring(space + 1))
                .endpoint();
    }

    private static String path(Random random, String[] segments) {
        StringBuilder path = new StringBuilder();
        int length = 1 + random.nextInt(3);
        for (int i = 0; i < length; i++) {
            path.append('/').append(segments[random.nextInt(segments.length)]);
        }
        return path.toString();
    }
}
