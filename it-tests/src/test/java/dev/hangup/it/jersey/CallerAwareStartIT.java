package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hangup.call.Call;
import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Scrape;
import dev.hangup.it.Silence;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
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

    @CallerAware(deadline = "-5s")
    public interface Contract {}

    @CallerAware(deadline = "999999999999m")
    public static class Parent implements Contract {}

    @CallerAware(deadline = "5 s")
    @Path("hidden")
    public static class Hidden extends Parent {
        @GET
        @CallerAware(deadline = "5s")
        public String sound() {
            return "never served";
        }

        @Path("leaf")
        public Class<? extends Leaf> leaf() {
            return Leaf.class;
        }
    }

    public static class Leaf {
        @GET
        @CallerAware(deadline = "later")
        public String late(@Context Call call) {
            return call.endpoint();
        }
    }

    /** Those that nearer ones hide, too, and those behind a locator that gives a class. */
    @Test
    void soIsEveryOther() {
        String method = ", for " + Hidden.class.getName() + ".sound: deadline = ";
        assertThatThrownBy(() -> new ApplicationHandler(new ResourceConfig(Hidden.class)))
                .hasStackTraceContaining(Hidden.class.getName() + method + "\"5 s\": not a duration; expected")
                .hasStackTraceContaining(Parent.class.getName() + method + "\"999999999999m\": longer than a year")
                .hasStackTraceContaining(Contract.class.getName() + method + "\"-5s\": must not be negative; expected")
                .hasStackTraceContaining(
                        Leaf.class.getName() + ".late: deadline = \"later\": not a duration; expected");
    }

    @Path("late")
    public static class Late {
        @Path("{x}")
        @CallerAware(deadline = "20s")
        public Object leaf() {
            return new Leaf();
        }

        @GET
        @CallerAware(deadline = "20s")
        public String sound(@Context Call call) {
            return call.endpoint();
        }
    }

    /** What only a request leads to: its caller is not to blame. */
    @EachContainer
    void whatIsKnownOnlyThenIsSaidOnceAndServed(ContainerKind kind) throws Exception {
        try (Logged logged = Logged.begin();
                Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(Late.class))) {
            for (int i = 0; i < 3; i++) {
                assertThat(RawClient.ask(stage.container, "/late/" + i).body()).isEqualTo("GET /late/{x}");
                assertThat(RawClient.ask(stage.container, "/late").body()).isEqualTo("GET /late");
            }
            assertThat(logged.alarms())
                    .singleElement()
                    .asString()
                    .startsWith("SEVERE dev.hangup: @CallerAware on " + Leaf.class.getName()
                            + ".late: deadline = \"later\": not a duration; expected a duration above zero");
            assertThat(stage.scrape().sum("hangup_cancelling", Scrape.endpoint("GET /late/{x}")))
                    .isZero();
            assertThat(stage.scrape().sum("hangup_cancelling", Scrape.endpoint("GET /late")))
                    .isEqualTo(1);
        }
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
