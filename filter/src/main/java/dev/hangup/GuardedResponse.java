package dev.hangup;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * The response of a call that may be cancelled. After a cancel the application's further status, error pages and writes are
 * refused, and what is answered instead is up to {@link Ending}; after the end everything is refused, because the container may
 * have given the response to somebody else.
 */
final class GuardedResponse extends GuardedHeaders {
    private final Ending ending;
    private final ContainerIo io;
    /** Made by the application's first getOutputStream or getWriter. */
    private @Nullable ServletOutputStream stream;

    private @Nullable PrintWriter writer;

    GuardedResponse(HttpServletResponse raw, Ending ending) {
        super(ending.io().tenancy, raw, ending.length(), ending.before());
        this.ending = ending;
        this.io = ending.io();
    }

    @Override
    void change(Runnable change) {
        io.change(change);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        ServletOutputStream made = stream;
        if (made == null) {
            ServletOutputStream[] container = new ServletOutputStream[1];
            io.write(() -> container[0] = raw().getOutputStream());
            made = new GuardedOutputStream(ending, container[0]);
            stream = made;
        }
        return made;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        PrintWriter made = writer;
        if (made == null) {
            PrintWriter[] container = new PrintWriter[1];
            io.write(() -> container[0] = raw().getWriter());
            made = new GuardedWriter(ending, container[0], raw().getCharacterEncoding());
            writer = made;
        }
        return made;
    }

    @Override
    public void flushBuffer() throws IOException {
        io.write(() -> raw().flushBuffer());
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        finish(() -> raw().sendError(status, message));
    }

    @Override
    public void sendError(int status) throws IOException {
        finish(() -> raw().sendError(status));
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        finish(() -> raw().sendRedirect(location));
    }

    // ---- of Servlet 6.1, whose wrapper would hand them on past us; 6.0 does not have them

    /** As {@link #sendRedirect(String, int, boolean)}, clearing the buffer. */
    public void sendRedirect(String location, int status) throws IOException {
        sendRedirect(location, status, true);
    }

    /** As {@link #sendRedirect(String, int, boolean)}, with 302. */
    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    /** A redirect of Servlet 6.1. */
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        finish(() -> Redirect.send(raw(), location, status, clearBuffer));
    }

    /**
     * The whole answer: what is not sent yet is the container's to send. A refusal is silent: an application that reports the
     * cancel as an error shall not fail once more.
     */
    private void finish(ContainerIo.Io answer) throws IOException {
        if (!io.isRefused()) {
            io.write(answer);
            ending.closed();
        }
    }

    @Override
    public void reset() {
        io.change(() -> {
            raw().reset();
            length.reset();
            before.forget();
            stream = null;
            writer = null;
        });
    }

    @Override
    public boolean isCommitted() {
        return tenancy.look(raw()::isCommitted, () -> true);
    }
}
