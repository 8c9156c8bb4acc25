package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.RawClient;
import dev.hangup.it.Silence;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** A malformed {@code @CallerAware} ends the application's start, wherever it stands. */
@EachLine
final class CallerAwareStartIT {

    public interface Malformed {
        @GET
        @CallerAware(deadline = "soon")
        String brief();
    }

    @Path("malformed")
    public static class MalformedHere implements Malformed {
        @Override
        public String brief() {
            return "never served";
        }
    }

    @Path("malformed/below")
    public static class MalformedBelow {
        @Path("{x}")
        @CallerAware(deadline = "0s")
        public Object sub() {
            return this;
        }
    }

    @Path("sound")
    public static class Sound {
        @GET
        public String brief() {
            return "served";
        }
    }

    /** As a servlet container asks it to start. */
    @Test
    void aMalformedOneEndsTheStartAndIsNamed() {
        ResourceConfig application = new ResourceConfig(MalformedHere.class, MalformedBelow.class);
        assertThatThrownBy(() -> new ApplicationHandler(application))
                .hasStackTraceContaining(Malformed.class.getName() + ".brief: deadline = ")
                .hasStackTraceContaining(MalformedBelow.class.getName() + ".sub: deadline = ")
                .hasStackTraceContaining("soon");
    }

    @EachContainer
    void thenNothingIsServed(ContainerKind kind) throws Exception {
        try (Silence silence = Silence.ofContainers()) {
            Stage stage;
            try {
                stage = Stage.start(kind, Policy.defaults(), JerseySite.of(MalformedHere.class, Sound.class));
            } catch (IllegalStateException refused) {
                return; // the whole context
            }
            try (stage) {
                assertThat(RawClient.ask(stage.container, "/sound").status()).isGreaterThanOrEqualTo(404);
            }
        }
    }
}
