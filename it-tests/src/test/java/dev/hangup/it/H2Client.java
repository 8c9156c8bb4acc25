package dev.hangup.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.PingFrame;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** One HTTP/2 connection, frame by frame, that leaves as rudely as it is told to. Any thread. */
public final class H2Client implements AutoCloseable {

    private static final int WINDOW = 65_535;

    private final HTTP2Client client;
    private final HTTP2Session session;
    private final BlockingQueue<PingFrame> pongs;
    private final String origin;

    private H2Client(HTTP2Client client, HTTP2Session session, BlockingQueue<PingFrame> pongs, String origin) {
        this.client = client;
        this.session = session;
        this.pongs = pongs;
        this.origin = origin;
    }

    /** Knows that the server speaks HTTP/2, or agrees on it by ALPN. */
    public static H2Client connect(Container container, Wire wire) throws Exception {
        HTTP2Client client = new HTTP2Client();
        client.setInitialStreamRecvWindow(WINDOW);
        SslContextFactory.Client tls = new SslContextFactory.Client();
        tls.setTrustStorePath(Wire.keyStore().toString());
        tls.setTrustStorePassword(Wire.PASSWORD);
        client.getClientConnector().setSslContextFactory(tls);
        client.start();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), container.port());
        BlockingQueue<PingFrame> pongs = new LinkedBlockingQueue<>();
        Session.Listener listener = new Session.Listener() {
            @Override
            public void onPing(Session from, PingFrame frame) {
                if (frame.isReply()) {
                    pongs.add(frame);
                }
            }
        };
        CompletableFuture<Session> session = wire.isSecure()
                ? client.connect(client.getClientConnector().getSslContextFactory(), address, listener)
                : client.connect(address, listener);
        String origin = (wire.isSecure() ? "https" : "http") + "://localhost:" + container.port();
        return new H2Client(client, (HTTP2Session) session.get(10, TimeUnit.SECONDS), pongs, origin);
    }

    /**
     * Returns once the server has read all that was sent, as its answer to a PING shows. Tomcat sometimes lets two threads read of
     * what comes in a burst, and closes the connection for headers that it cannot decode or that come out of order: 4 of 1,647
     * connections of 20 requests at once, without Hangup, over TLS, on 11.0.
     */
    public void settle() throws IOException {
        session.ping(new PingFrame(false), Callback.NOOP);
        try {
            if (pongs.poll(10, TimeUnit.SECONDS) == null) {
                throw new IOException("no answer to a PING");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Sends a GET, and takes what comes. */
    public H2Exchange get(String path) throws IOException {
        return request("GET", path, true, new H2Exchange(true));
    }

    /** Sends a GET with a further header, and takes what comes. */
    public H2Exchange get(String path, String name, String value) throws IOException {
        return request("GET", path, HttpFields.from(new HttpField(name, value)), true, new H2Exchange(true));
    }

    /** Sends a HEAD, and takes what comes. */
    public H2Exchange head(String path) throws IOException {
        return request("HEAD", path, true, new H2Exchange(true));
    }

    /** Sends a GET, and reads nothing of the answer's body, so that its window closes after 64 KiB. */
    public H2Exchange getUnread(String path) throws IOException {
        return request("GET", path, true, new H2Exchange(false));
    }

    /** Sends a POST with this body, whose end is announced or still open. */
    public H2Exchange post(String path, byte[] body, boolean end) throws IOException {
        H2Exchange exchange = request("POST", path, false, new H2Exchange(true));
        exchange.send(body, end);
        return exchange;
    }

    private H2Exchange request(String method, String path, boolean end, H2Exchange exchange) throws IOException {
        return request(method, path, HttpFields.EMPTY, end, exchange);
    }

    private H2Exchange request(String method, String path, HttpFields fields, boolean end, H2Exchange exchange)
            throws IOException {
        MetaData.Request head = new MetaData.Request(method, HttpURI.from(origin + path), HttpVersion.HTTP_2, fields);
        Promise.Completable<Stream> stream = new Promise.Completable<>();
        session.newStream(new HeadersFrame(head, null, end), stream, exchange);
        try {
            exchange.begin(stream.get(10, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("no stream for " + method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return exchange;
    }

    /** How many streams the server lets be open at once. */
    public int maxStreams() {
        return session.getMaxLocalStreams();
    }

    /** Says that no further stream will be accepted, and stays. */
    public void goAway() {
        byte[] bye = "bye".getBytes(StandardCharsets.US_ASCII);
        session.goAway(new GoAwayFrame(0, ErrorCode.NO_ERROR.code, bye), Callback.NOOP);
    }

    /** Hangs up with a FIN, without a word in HTTP/2 or TLS. */
    public void cut() {
        wire().close();
    }

    /** Hangs up with a RST. */
    public void rst() throws IOException {
        EndPoint wire = wire();
        ((SocketChannel) wire.getTransport()).setOption(StandardSocketOptions.SO_LINGER, 0);
        wire.close();
    }

    private EndPoint wire() {
        EndPoint point = session.getEndPoint();
        while (point instanceof EndPoint.Wrapper wrapper) {
            point = wrapper.unwrap();
        }
        return point;
    }

    /** Hangs up as HTTP/2 wants it: GOAWAY, then FIN. */
    @Override
    public void close() {
        try {
            session.close(ErrorCode.NO_ERROR.code, null, Callback.NOOP);
            client.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the client does not stop", e);
        }
    }
}
