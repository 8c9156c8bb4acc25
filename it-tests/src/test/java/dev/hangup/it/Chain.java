package dev.hangup.it;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.ServerHttpObservationFilter;

/** Filters that applications have. */
enum Chain {
    /** Lets nobody in who does not say who he is, and tells the application who it is. */
    SECURITY {
        @Override
        Filter filter(Queue<String> observed) {
            return (request, response, chain) -> {
                String user = ((HttpServletRequest) request).getHeader("User");
                if (user == null) {
                    ((HttpServletResponse) response).sendError(401, "who are you?");
                    return;
                }
                chain.doFilter(
                        new HttpServletRequestWrapper((HttpServletRequest) request) {
                            @Override
                            public String getRemoteUser() {
                                return user;
                            }
                        },
                        response);
                observed.add("left with " + ((HttpServletResponse) response).getStatus());
            };
        }
    },
    GZIP {
        @Override
        Filter filter(Queue<String> observed) {
            return (request, response, chain) -> {
                try (Gzip zipping = new Gzip((HttpServletResponse) response)) {
                    chain.doFilter(request, zipping);
                    if (request.isAsyncStarted()) {
                        return;
                    }
                    zipping.finish();
                }
            };
        }
    },
    FORWARDED {
        @Override
        Filter filter(Queue<String> observed) {
            return new ForwardedHeaderFilter();
        }
    },
    OBSERVATION {
        @Override
        Filter filter(Queue<String> observed) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new ObservationHandler<ServerRequestObservationContext>() {
                @Override
                public void onStop(ServerRequestObservationContext context) {
                    HttpServletResponse response = context.getResponse();
                    observed.add("observed " + (response == null ? 0 : response.getStatus()) + " "
                            + (context.getError() == null
                                    ? ""
                                    : context.getError().getClass().getSimpleName()));
                }

                @Override
                public boolean supportsContext(Observation.Context context) {
                    return context instanceof ServerRequestObservationContext;
                }
            });
            return new ServerHttpObservationFilter(registry);
        }
    };

    /** @param observed what it sees */
    abstract Filter filter(Queue<String> observed);

    /** Zips the body from its first byte on, and does not believe in lengths that others announce. */
    private static final class Gzip extends HttpServletResponseWrapper implements AutoCloseable {

        private @Nullable GZIPOutputStream zip;
        private @Nullable ServletOutputStream stream;
        private @Nullable PrintWriter writer;

        Gzip(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void setContentLength(int length) {}

        @Override
        public void setContentLengthLong(long length) {}

        @Override
        public ServletOutputStream getOutputStream() {
            if (stream == null) {
                stream = new Zipped();
            }
            return stream;
        }

        @Override
        public PrintWriter getWriter() {
            if (writer == null) {
                writer = new PrintWriter(new OutputStreamWriter(getOutputStream(), StandardCharsets.UTF_8));
            }
            return writer;
        }

        private GZIPOutputStream zip() throws IOException {
            GZIPOutputStream begun = zip;
            if (begun == null) {
                setHeader("Content-Encoding", "gzip");
                begun = new GZIPOutputStream(getResponse().getOutputStream(), true);
                zip = begun;
            }
            return begun;
        }

        void finish() throws IOException {
            if (writer != null) {
                writer.flush();
            }
            if (zip != null) {
                zip.finish();
            }
        }

        @Override
        public void flushBuffer() throws IOException {
            if (zip != null) {
                zip.flush();
            }
            super.flushBuffer();
        }

        /** For the error page, which is not zipped. */
        @Override
        public void reset() {
            super.reset();
            resetBuffer();
        }

        @Override
        public void resetBuffer() {
            super.resetBuffer();
            zip = null;
            stream = null;
            writer = null;
        }

        @Override
        public void close() {}

        private final class Zipped extends ServletOutputStream {
            @Override
            public void write(int one) throws IOException {
                zip().write(one);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                zip().write(bytes, offset, length);
            }

            @Override
            public void flush() throws IOException {
                zip().flush();
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException();
            }
        }
    }
}
