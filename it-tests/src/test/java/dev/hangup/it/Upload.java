package dev.hangup.it;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** A POST whose body of an announced length is sent piece by piece, and perhaps not to its end. */
interface Upload {

    void send(byte[] piece) throws IOException;

    /** Waits for the response, and returns its body. */
    String response() throws Exception;

    /** Leaves without sending the rest: by FIN, on HTTP/2 by RST_STREAM. */
    void cut() throws IOException;

    static Upload http1(int port, String path, int length) throws IOException {
        RawClient client =
                RawClient.connect(port).send(RawClient.head("POST", path, "Content-Length: " + length) + "\r\n");
        return new Upload() {
            @Override
            public void send(byte[] piece) throws IOException {
                client.send(piece);
            }

            @Override
            public String response() throws IOException {
                try (client) {
                    return client.response().body();
                }
            }

            @Override
            public void cut() throws IOException {
                client.close();
            }
        };
    }

    /** Over TLS. */
    static Upload http2(int port, String path, int length) throws IOException {
        PipedOutputStream out = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(out, length);
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> in), length))
                .build();
        Future<HttpResponse<String>> response = Departing.http2Client().sendAsync(request, BodyHandlers.ofString());
        return new Upload() {
            @Override
            public void send(byte[] piece) throws IOException {
                out.write(piece);
                out.flush();
            }

            @Override
            public String response() throws IOException, InterruptedException, ExecutionException {
                out.close();
                return response.get().body();
            }

            @Override
            public void cut() {
                response.cancel(true);
            }
        };
    }
}
