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
}
