package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Stage;
import dev.hangup.jersey.HangupFeature;
import dev.hangup.policy.Policy;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import java.util.List;
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

        @GET
        @Path("listeners")
        public String listeners(@Context Configuration configuration) {
            return ""
                    + configuration.getInstances().stream()
                            .filter(each -> each.getClass().getName().equals("dev.hangup.jersey.RequestCalls"))
                            .count();
        }
    }

    @EachContainer
    void theExtensionIsFoundByItself(ContainerKind kind) throws Exception {
        assertThat(Version.getVersion()).isEqualTo(System.getProperty("line.jersey"));
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(Root.class))) {
            assertThat(RawClient.ask(stage.container, "/feature").body()).isEqualTo("true");
        }
    }

    /** By its class, or as an object, or where it is not found by itself. */
    @EachContainer
    void howeverItIsRegisteredItActsOnce(ContainerKind kind) throws Exception {
        List<ResourceConfig> ways = List.of(
                new ResourceConfig(Root.class),
                new ResourceConfig(Root.class).register(HangupFeature.class),
                new ResourceConfig(Root.class).register(new HangupFeature()),
                new ResourceConfig(Root.class)
                        .register(HangupFeature.class)
                        .property("jakarta.ws.rs.loadServices", false));
        for (ResourceConfig application : ways) {
            try (Logged log = Logged.begin();
                    Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of("/api/*", application))) {
                assertThat(RawClient.ask(stage.container, "/api/listeners").body())
                        .isEqualTo("1");
                log.assertNoAlarms();
            }
        }
    }
}
