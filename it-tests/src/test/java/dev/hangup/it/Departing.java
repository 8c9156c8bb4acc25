package dev.hangup.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;

/** A caller who has asked, and will leave before the answer. */
interface Departing {

    /** How callers leave. */
    enum Manner {
        /** The connection is closed: FIN. */
        CLOSE,
        /** The connection is reset (RST), on HTTP/2 the stream (RST_STREAM). */
        RESET
    }

    void leave() throws IOException;

    /** One who asks by HTTP/1.1, in plain text. */
    static Departing http1(int port, String path, Manner manner) throws IOException {
        RawClient client = RawClient.connect(port).get(path);
        return manner == Manner.CLOSE ? client::close : client::rst;
    }

    /** One who asks by HTTP/2 over TLS: a stream on the client's connection, or a connection of its own. */
    static Departing http2(HttpClient client, Path directory, int port, String path, Manner manner) {
        URI uri = URI.create("https://localhost:" + port + path);
        if (manner == Manner.RESET) {
            Future<?> response = client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
            return () -> response.cancel(true);
        }
        List<String> command = List.of(Program.CURL.path(), "-sk", "--http2", uri.toString());
        Child curl = Child.start(directory, command);
        return curl::close;
    }

    /** One that speaks HTTP/2 to whoever offers it. */
    static HttpClient http2Client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(Wire.trusting())
                .build();
    }
}
