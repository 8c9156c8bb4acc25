package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A WAR on both containers, with the packaged jar in its WEB-INF/lib and a class loader of its own. */
@EachLine
final class WarIT {

    @EachContainer
    void takesHangupFromItsOwnLibAndKeepsTheContainersRules(ContainerKind kind, @TempDir Path directory)
            throws IOException {
        War war = War.in(directory.resolve("app"), WhereFromServlet.class);
        try (Container container = kind.deploy(war, 20);
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get("/where?dev.hangup.package-info").response().body())
                    .endsWith("/app/WEB-INF/lib/hangup-filter.jar");
            assertThat(client.get("/where?dev.hangup.shaded.snakeyaml.engine.v2.api.Load")
                            .response()
                            .body())
                    .endsWith("/app/WEB-INF/lib/hangup-filter.jar");
            assertThat(client.get("/where?dev.hangup.it.WhereFromServlet")
                            .response()
                            .body())
                    .endsWith("/app/WEB-INF/classes/");
            assertThat(client.get("/where?dev.hangup.it.War").response().body()).isEqualTo("hidden");
        }
    }
}
