package dev.hangup.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests one after the other on a connection that is kept as long as the server bears it. For one thread. */
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
        return wire == Wire.H2C || wire == Wire.H2 ? streams(paths) : pipelined(paths);
    }

    private List<Integer> pipelined(List<String> paths) throws IOException {
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
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            statuses.add(client.response().status());
        }
        return statuses;
    }

    private List<Integer> streams(List<String> paths) throws Exception {
        H2Client client = http2;
        if (client == null) {
            client = H2Client.connect(container, wire);
            http2 = client;
        }
        List<H2Exchange> exchanges = new ArrayList<>();
        for (String path : paths) {
            exchanges.add(client.get(path));
        }
        List<Integer> statuses = new ArrayList<>();
        for (H2Exchange exchange : exchanges) {
            statuses.add(Integer.valueOf(exchange.outcome().split(" ", 2)[0]));
        }
        return statuses;
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
