package dev.hangup.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests one after the other on a connection that is kept as long as the server bears it. For one thread; over HTTP/2, once it is used, for any. */
final class KeptConnection implements AutoCloseable {

    /** Tomcat closes a connection of HTTP/1.1 after 100 requests. */
    private static final int MOST = 100;

    private final Container container;
    private final Wire wire;
    private int sent;
    private @Nullable RawClient http1;
    private @Nullable H2Client http2;

    KeptConnection(Container container, Wire wire) {
        this.container = container;
        this.wire = wire;
    }

    /** Sends these GETs at once, over HTTP/1.1 in one segment, and returns what their answers' status is. */
    List<Integer> statuses(List<String> paths) throws Exception {
        return answers(paths).stream()
                .map(answer -> Integer.valueOf(answer.split(" ", 2)[0]))
                .toList();
    }

    /** Status and body, {@code "200 body"}. */
    String answer(String path) throws Exception {
        return answers(List.of(path)).get(0);
    }

    /** Sends a GET whose caller leaves when this is closed: over HTTP/1.1 with a connection of its own. */
    AutoCloseable leaving(String path) throws Exception {
        if (!isHttp2()) {
            return RawClient.connect(container, wire).get(path);
        }
        H2Exchange stream = http2().get(path);
        return stream::reset;
    }

    private boolean isHttp2() {
        return wire == Wire.H2C || wire == Wire.H2;
    }

    private List<String> answers(List<String> paths) throws Exception {
        return isHttp2() ? streams(paths) : pipelined(paths);
    }

    private List<String> pipelined(List<String> paths) throws IOException {
        RawClient client = http1;
        if (client == null || sent + paths.size() >= MOST) {
            close();
            client = RawClient.connect(container, wire);
            http1 = client;
            sent = 0;
        }
        sent += paths.size();
        StringBuilder requests = new StringBuilder();
        paths.forEach(path -> requests.append(RawClient.head("GET", path)).append("\r\n"));
        client.send(requests.toString());
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            RawResponse response = client.response();
            answers.add(response.status() + " " + response.body());
        }
        return answers;
    }

    private List<String> streams(List<String> paths) throws Exception {
        List<H2Exchange> exchanges = new ArrayList<>();
        for (String path : paths) {
            exchanges.add(http2().get(path));
        }
        List<String> answers = new ArrayList<>();
        for (H2Exchange exchange : exchanges) {
            answers.add(exchange.outcome());
        }
        return answers;
    }

    private H2Client http2() throws Exception {
        H2Client client = http2;
        if (client == null) {
            client = H2Client.connect(container, wire);
            http2 = client;
        }
        return client;
    }

    @Override
    public void close() throws IOException {
        if (http1 != null) {
            http1.close();
        }
        if (http2 != null) {
            http2.close();
        }
    }
}
