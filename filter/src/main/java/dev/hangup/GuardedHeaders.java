package dev.hangup;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.nio.charset.Charset;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything of a response that is about its head and does no I/O. Each change goes through {@link #change}, each look through {@link Tenancy#look(Supplier)}. */
@SuppressWarnings("NullAway") // the servlet API is not annotated: null where the container says null
abstract class GuardedHeaders extends HttpServletResponseWrapper {
    final Tenancy tenancy;
    final BodyLength length;
    final HeadBefore before;

    GuardedHeaders(Tenancy tenancy, HttpServletResponse raw, BodyLength length, HeadBefore before) {
        super(raw);
        this.tenancy = tenancy;
        this.length = length;
        this.before = before;
    }

    /** What this wraps now: Tomcat puts a wrapper of its own in between while another resource is included. */
    final HttpServletResponse raw() {
        return (HttpServletResponse) getResponse();
    }

    /** Runs the change, or drops it if the response is not the application's any more. */
    abstract void change(Runnable change);

    @Override
    public void setStatus(int status) {
        change(() -> raw().setStatus(status));
    }

    @Override
    public void addCookie(Cookie cookie) {
        change(() -> {
            before.touch(raw(), "Set-Cookie");
            raw().addCookie(cookie);
        });
    }

    @Override
    public void setHeader(String name, String value) {
        change(() -> {
            before.touch(raw(), name);
            raw().setHeader(name, value);
            announced(name, value);
        });
    }

    @Override
    public void addHeader(String name, String value) {
        change(() -> {
            before.touch(raw(), name);
            raw().addHeader(name, value);
            announced(name, value);
        });
    }

    @Override
    public void setIntHeader(String name, int value) {
        change(() -> {
            before.touch(raw(), name);
            raw().setIntHeader(name, value);
            announced(name, Integer.toString(value));
        });
    }

    @Override
    public void addIntHeader(String name, int value) {
        change(() -> {
            before.touch(raw(), name);
            raw().addIntHeader(name, value);
            announced(name, Integer.toString(value));
        });
    }

    @Override
    public void setDateHeader(String name, long date) {
        change(() -> {
            before.touch(raw(), name);
            raw().setDateHeader(name, date);
        });
    }

    @Override
    public void addDateHeader(String name, long date) {
        change(() -> {
            before.touch(raw(), name);
            raw().addDateHeader(name, date);
        });
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        change(() -> raw().setTrailerFields(supplier));
    }

    @Override
    public void setCharacterEncoding(String encoding) {
        change(() -> raw().setCharacterEncoding(encoding));
    }

    /** Of Servlet 6.1, whose wrapper would go past us; 6.0 does not have it. */
    public void setCharacterEncoding(Charset encoding) {
        setCharacterEncoding(encoding.name());
    }

    @Override
    public void setContentType(String type) {
        change(() -> raw().setContentType(type));
    }

    @Override
    public void setContentLength(int bytes) {
        change(() -> {
            raw().setContentLength(bytes);
            length.announce(bytes);
        });
    }

    @Override
    public void setContentLengthLong(long bytes) {
        change(() -> {
            raw().setContentLengthLong(bytes);
            length.announce(bytes);
        });
    }

    @Override
    public void setBufferSize(int size) {
        change(() -> raw().setBufferSize(size));
    }

    @Override
    public void setLocale(Locale locale) {
        change(() -> raw().setLocale(locale));
    }

    @Override
    public void resetBuffer() {
        change(() -> {
            raw().resetBuffer();
            length.resetBody();
        });
    }

    // ---- looks: null where the container says null

    @Override
    public int getStatus() {
        return tenancy.look(super::getStatus);
    }

    @Override
    public String getHeader(String name) {
        return tenancy.look(() -> super.getHeader(name));
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return tenancy.look(() -> super.getHeaders(name));
    }

    @Override
    public Collection<String> getHeaderNames() {
        return tenancy.look(super::getHeaderNames);
    }

    @Override
    public boolean containsHeader(String name) {
        return tenancy.look(() -> super.containsHeader(name));
    }

    @Override
    public String getContentType() {
        return tenancy.look(super::getContentType);
    }

    @Override
    public String getCharacterEncoding() {
        return tenancy.look(super::getCharacterEncoding);
    }

    @Override
    public Locale getLocale() {
        return tenancy.look(super::getLocale);
    }

    @Override
    public int getBufferSize() {
        return tenancy.look(super::getBufferSize);
    }

    @Override
    public Supplier<Map<String, String>> getTrailerFields() {
        return tenancy.look(super::getTrailerFields);
    }

    @Override
    public String encodeURL(String url) {
        return tenancy.look(() -> super.encodeURL(url));
    }

    @Override
    public String encodeRedirectURL(String url) {
        return tenancy.look(() -> super.encodeRedirectURL(url));
    }

    private void announced(String name, @Nullable String value) {
        if (name != null && BodyLength.isHeader(name)) {
            length.announce(value == null ? "" : value);
        }
    }
}
