package dev.hangup;

import dev.hangup.call.CallScope;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.nio.charset.Charset;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything of a response that is about its head and does no I/O. Each change goes through {@link #change}, each look through {@link Tenancy#look}. */
@SuppressWarnings("NullAway") // the servlet API is not annotated: null where the container says null
abstract class GuardedHeaders extends HttpServletResponseWrapper {
    final CallScope call;
    final BodyLength length;
    final HeadBefore before;

    GuardedHeaders(CallScope call, HttpServletResponse raw, BodyLength length, HeadBefore before) {
        super(raw);
        this.call = call;
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
        return Tenancy.look(call, super::getStatus);
    }

    @Override
    public String getHeader(String name) {
        return Tenancy.look(call, () -> super.getHeader(name));
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return Tenancy.look(call, () -> super.getHeaders(name));
    }

    @Override
    public Collection<String> getHeaderNames() {
        return Tenancy.look(call, super::getHeaderNames);
    }

    @Override
    public boolean containsHeader(String name) {
        return Tenancy.look(call, () -> super.containsHeader(name));
    }

    @Override
    public String getContentType() {
        return Tenancy.look(call, super::getContentType);
    }

    @Override
    public String getCharacterEncoding() {
        return Tenancy.look(call, super::getCharacterEncoding);
    }

    @Override
    public Locale getLocale() {
        return Tenancy.look(call, super::getLocale);
    }

    @Override
    public int getBufferSize() {
        return Tenancy.look(call, super::getBufferSize);
    }

    @Override
    public Supplier<Map<String, String>> getTrailerFields() {
        return Tenancy.look(call, super::getTrailerFields);
    }

    @Override
    public String encodeURL(String url) {
        return Tenancy.look(call, () -> super.encodeURL(url));
    }

    @Override
    public String encodeRedirectURL(String url) {
        return Tenancy.look(call, () -> super.encodeRedirectURL(url));
    }

    private void announced(String name, @Nullable String value) {
        if (name != null && BodyLength.isHeader(name)) {
            length.announce(value == null ? "" : value);
        }
    }
}
