package dev.hangup.jersey;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PathTemplateTest {

    @Test
    void partsAreJoinedByOneSlash() {
        assertThat(PathTemplate.of(List.of("", "reports", "{id}"))).isEqualTo("/reports/{id}");
        assertThat(PathTemplate.of(List.of("/api", "/reports/", "/{id}/"))).isEqualTo("/api/reports/{id}");
        assertThat(PathTemplate.of(List.of("/api/v1", "", "a//b"))).isEqualTo("/api/v1/a/b");
    }

    @Test
    void theRootIsASlash() {
        assertThat(PathTemplate.of(List.of(""))).isEqualTo("/");
        assertThat(PathTemplate.of(List.of("", "/", ""))).isEqualTo("/");
    }

    @Test
    void expressionsAreLeftOut() {
        assertThat(PathTemplate.of(List.of("{id: [0-9]+}"))).isEqualTo("/{id}");
        assertThat(PathTemplate.of(List.of("{ year : [0-9]{4} }-{month:\\d{2}}/x:y")))
                .isEqualTo("/{year}-{month}/x:y");
        assertThat(PathTemplate.of(List.of("files/{path: .+/[^/]{1,{2}}}/end"))).isEqualTo("/files/{path}/end");
    }
}
