package dev.hangup.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** One request over HTTP/2, and how its response ends: whole (END_STREAM), reset, or lost with the connection. */
public final class H2Exchange implements Stream.Listener {

    private final boolean reading;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private CompletableFuture<Stream> sent = CompletableFuture.completedFuture(null);
    private volatile int status;
    private volatile HttpFields headers = HttpFields.EMPTY;
    private volatile @Nullable Stream stream;

    H2Exchange(boolean reading) {
        this.reading = reading;
    }

    public void begin(Stream begun) {
        stream = begun;
        if (reading) {
            begun.demand();
        }
    }

    private Stream stream() {
        return Objects.requireNonNull(stream, "not begun");
    }

    /** Sends these bytes once those that were sent before are on their way: a stream bears one write at a time. */
    public synchronized void send(byte[] bytes, boolean last) {
        sent = sent.handle((before, failure) -> stream())
                .thenCompose(to -> to.data(new DataFrame(to.getId(), ByteBuffer.wrap(bytes), last)));
    }

    /** Resets this stream: RST_STREAM with CANCEL. */
    public void reset() {
        stream().reset(new ResetFrame(stream().getId(), ErrorCode.CANCEL_STREAM_ERROR.code), Callback.NOOP);
    }

    public int status() {
        return status;
    }

    /** Of the response, by any spelling of the name; null if it has none. */
    @Nullable
    public String header(String name) {
        return headers.get(name);
    }

    /** What has come of the body so far. */
    public synchronized byte[] body() {
        return body.toByteArray();
    }

    /** {@code "200 body"} if the response is whole, {@code "reset"} and the error if its stream was reset by the server, {@code "lost"} if its connection went. */
    public String outcome() throws Exception {
        try {
            return end.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("no end of stream " + stream, e);
        }
    }

    public boolean hasEnded() {
        return end.isDone();
    }

    @Override
    public void onHeaders(Stream from, HeadersFrame frame) {
        if (frame.getMetaData() instanceof MetaData.Response response) {
            status = response.getStatus();
            headers = response.getHttpFields();
        }
        if (frame.isEndStream()) {
            whole();
        }
    }

    @Override
    public void onDataAvailable(Stream from) {
        for (Stream.Data data = from.readData(); data != null; data = from.readData()) {
            take(data.frame());
            data.release();
            if (data.frame().isEndStream()) {
                whole();
                return;
            }
        }
        from.demand();
    }

    private synchronized void take(DataFrame frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.getByteBuffer().get(bytes);
        body.writeBytes(bytes);
    }

    private void whole() {
        end.complete(status + " " + new String(body(), StandardCharsets.ISO_8859_1));
    }

    @Override
    public void onReset(Stream from, ResetFrame frame, Callback callback) {
        end.complete("reset " + ErrorCode.toString(frame.getError(), "?"));
        callback.succeeded();
    }

    @Override
    public void onFailure(Stream from, int error, String reason, Throwable failure, Callback callback) {
        end.complete("lost");
        callback.succeeded();
    }

    @Override
    public void onClosed(Stream from) {
        end.completeOnTimeout("lost", 1, TimeUnit.SECONDS); // after what else is told of the end
    }
}
