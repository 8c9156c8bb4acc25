package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.RawClient;
import dev.hangup.it.Stage;
import dev.hangup.jersey.HangupFeature;
import dev.hangup.policy.Policy;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import org.glassfish.jersey.internal.Version;
import org.glassfish.jersey.server.ResourceConfig;

/** Jersey is of the line that this run of the tests is for, and has found the extension. */
@EachLine
final class JerseyLineIT {

    @Path("/")
    public static final class Root {
        @GET
        @Path("feature")
        public String feature(@Context Configuration configuration) {
            return "" + configuration.isEnabled(HangupFeature.class);
        }
    }

    @EachContainer
    void theExtensionIsFoundByItself(ContainerKind kind) throws Exception {
        assertThat(Version.getVersion()).isEqualTo(System.getProperty("line.jersey"));
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(Root.class))) {
            assertThat(RawClient.ask(stage.container, "/feature").body()).isEqualTo("true");
        }
    }

    @EachContainer
    void whereItIsRegisteredTooItActsOnce(ContainerKind kind) throws Exception {
        ResourceConfig application = new ResourceConfig(Root.class).register(HangupFeature.class);
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of("/api/*", application))) {
            assertThat(RawClient.ask(stage.container, "/api/feature").body()).isEqualTo("true");
        }
    }
}
