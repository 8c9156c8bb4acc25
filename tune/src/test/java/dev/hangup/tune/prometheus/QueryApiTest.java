package dev.hangup.tune.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked and how answers are taken, with a server that says anything. */
final class QueryApiTest {

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String answer = "";
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body + " " + authorization);
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private QueryApi api(Credentials credentials) {
        return new QueryApi("http://127.0.0.1:" + server.getAddress().getPort() + "/select/0/", credentials);
    }

    private List<QueryApi.Sample> ask() {
        return api(Credentials.NONE).range("a{b=\"c\"}", 10, 30, 20);
    }

    @Test
    void aMatrixIsReadPointByPoint() {
        answer = """
                {"status":"success","data":{"resultType":"matrix","result":[
                 {"metric":{"le":"0.5"},"values":[[10,"1.5"],[30.0,"+Inf"]]},{"metric":{},"values":[[10,"NaN"]]}]}}
                """;
        assertThat(ask())
                .containsExactly(
                        new QueryApi.Sample(Map.of("le", "0.5"), 10, 1.5),
                        new QueryApi.Sample(Map.of("le", "0.5"), 30, Double.POSITIVE_INFINITY),
                        new QueryApi.Sample(Map.of(), 10, Double.NaN));
        assertThat(asked)
                .containsExactly(
                        "POST /select/0/api/v1/query_range query=a%7Bb%3D%22c%22%7D&start=10&end=30&step=20 null");
    }

    @Test
    void whatItIsAskedWithComesFromFiles(@TempDir Path directory) throws IOException {
        answer = "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";
        Path file = Files.writeString(directory.resolve("secret"), "me:secret\n");
        assertThat(api(Credentials.bearer(file)).range("a", 1, 2, 1)).isEmpty();
        assertThat(api(Credentials.basic(file)).range("a", 1, 2, 1)).isEmpty();
        assertThat(asked.get(0)).endsWith(" Bearer me:secret");
        assertThat(asked.get(1)).endsWith(" Basic bWU6c2VjcmV0");
        assertThat(Credentials.basic(file)).hasToString("Basic ...");
        assertThatThrownBy(() -> Credentials.bearer(directory.resolve("nowhere")))
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() -> Credentials.basic(Files.writeString(file, "hush")))
                .hasMessageContaining("user:password")
                .hasMessageNotContaining("hush");
    }

    @Test
    void whatIsWrongIsSaidInALine() {
        answer = "{\"status\":\"error\",\"error\":\"parse error:\\n bad\"}";
        status = 400;
        assertThatThrownBy(this::ask).isInstanceOf(Unavailable.class).hasMessageContaining("refuses: parse error: bad");
        status = 502;
        answer = "<html>";
        assertThatThrownBy(this::ask).isInstanceOf(Unavailable.class).hasMessageContaining("502 and no JSON: <html>");
        status = 200;
        answer = "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}";
        assertThatThrownBy(this::ask).hasMessageContaining("vector");
        answer = "{\"status\":\"success\"}";
        assertThatThrownBy(this::ask).hasMessageContaining("another form");
        status = 401;
        assertThatThrownBy(this::ask).hasMessageContaining("--bearer-token-file");
        server.stop(0);
        assertThatThrownBy(this::ask).isInstanceOf(Unavailable.class).hasMessageContaining("cannot be asked");
        assertThatThrownBy(() -> new QueryApi("http://me:secret@localhost", Credentials.NONE))
                .hasMessageContaining("put it into a file");
        assertThatThrownBy(() -> new QueryApi("localhost:9090", Credentials.NONE))
                .hasMessageContaining("no URL");
    }
}
