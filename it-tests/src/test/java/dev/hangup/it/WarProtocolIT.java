package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS and HTTP/2 in a WAR, from which the container's classes are hidden, and where something in them has another name. */
@EachLine
final class WarProtocolIT {

    private static final String POLICY = """
            deadlines:
              endpoints:
                "GET /sleep": { mode: cancel }
                "GET /nap": { mode: cancel, normal: 200ms }
            """;

    private static War war(Path directory) throws IOException {
        return War.in(directory.resolve("app"), SleeperServlet.class).file("WEB-INF/classes/hangup.yaml", POLICY);
    }

    private static String slept(H2Client client) throws Exception {
        return client.get("/slept").outcome();
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    void streamsAreWatched(ContainerKind kind, Wire wire, @TempDir Path directory) throws Exception {
        try (Logged logged = Logged.begin();
                Container container = kind.deploy(war(directory), 20, wire);
                H2Client client = H2Client.connect(container, wire)) {
            H2Exchange leaving = client.get("/sleep");
            await().untilAsserted(() -> assertThat(slept(client)).isEqualTo("200 1 0"));
            leaving.reset();
            await().untilAsserted(() -> assertThat(slept(client)).isEqualTo("200 1 1"));
            assertThat(client.get("/nap").outcome()).startsWith("504");
            logged.assertNoAlarms();
        }
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, TLS", "JETTY, TLS_12", "TOMCAT, TLS", "TOMCAT, TLS_12"})
    void callersOverTlsAreWatched(ContainerKind kind, Wire wire, @TempDir Path directory) throws Exception {
        try (Logged logged = Logged.begin();
                Container container = kind.deploy(war(directory), 20, wire);
                RawClient client = RawClient.connect(container, wire)) {
            RawClient leaving = RawClient.connect(container, wire).get("/sleep");
            await().untilAsserted(() ->
                    assertThat(client.get("/slept").response().body()).isEqualTo("1 0"));
            leaving.close();
            await().untilAsserted(() ->
                    assertThat(client.get("/slept").response().body()).isEqualTo("1 1"));
            assertThat(client.get("/nap").response().status()).isEqualTo(504);
            logged.assertNoAlarms();
        }
    }

    /** The change is played by a jar of Hangup that looks for a name which is not there; see {@link DegradeIT}. */
    @ParameterizedTest(name = "{0} has renamed {2}")
    @CsvSource({
        "JETTY,  jetty/JettyStreams,   getStream,     no public method org.eclipse.jetty.http2.HTTP2Session.",
        "JETTY,  jetty/JettyStreams,   org.eclipse.jetty.http2.frames.ResetFrame, java.lang.ClassNotFoundException: ",
        "TOMCAT, tomcat/TomcatStreams, stream,        no field org.apache.coyote.http2.StreamProcessor.",
        "TOMCAT, tomcat/TomcatStreams, getIdAsInt,    no method org.apache.coyote.http2.AbstractStream.",
        "TOMCAT, tomcat/TomcatStreams, CLOSED_RST_RX, no constant org.apache.coyote.http2.StreamStateMachine$State."
    })
    void deadlinesHoldAndOneLineSaysWhatWasMissed(
            ContainerKind kind, String type, String name, String message, @TempDir Path directory) throws Exception {
        War war = war(directory);
        String other = name.substring(0, name.length() - 1) + '_';
        DegradeIT.rename(war.directory().resolve("WEB-INF/lib/hangup-filter.jar"), type, name, other);
        try (Logged logged = Logged.begin();
                Container container = kind.deploy(war, 20, Wire.H2C);
                H2Client client = H2Client.connect(container, Wire.H2C)) {
            assertThat(client.get("/nap").outcome()).startsWith("504 {");
            assertThat(client.get("/nap").outcome()).startsWith("504 {");
            try (RawClient plain = RawClient.connect(container)) { // HTTP/1.1 does not need what was missed
                RawClient leaving = RawClient.connect(container).get("/sleep");
                await().untilAsserted(() ->
                        assertThat(plain.get("/slept").response().body()).isEqualTo("3 2"));
                leaving.close();
                await().untilAsserted(() ->
                        assertThat(plain.get("/slept").response().body()).isEqualTo("3 3"));
            }
            assertThat(logged.alarms())
                    .singleElement()
                    .asString()
                    .contains(message)
                    .contains(other);
        }
    }
}
