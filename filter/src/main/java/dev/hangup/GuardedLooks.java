package dev.hangup;

import dev.hangup.call.CallScope;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletConnection;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.PushBuilder;
import java.security.Principal;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;

/** Everything of a request that is looked at and does no I/O, each through {@link Tenancy#look}. */
@SuppressWarnings("NullAway") // the servlet API is not annotated: null where the container says null
abstract class GuardedLooks extends HttpServletRequestWrapper {
    final CallScope call;

    GuardedLooks(CallScope call, HttpServletRequest request) {
        super(request);
        this.call = call;
    }

    @Override
    public String getAuthType() {
        return Tenancy.look(call, super::getAuthType);
    }

    @Override
    public Cookie[] getCookies() {
        return Tenancy.look(call, super::getCookies);
    }

    @Override
    public long getDateHeader(String name) {
        return Tenancy.look(call, () -> super.getDateHeader(name));
    }

    @Override
    public String getHeader(String name) {
        return Tenancy.look(call, () -> super.getHeader(name));
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Tenancy.look(call, () -> super.getHeaders(name));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Tenancy.look(call, super::getHeaderNames);
    }

    @Override
    public int getIntHeader(String name) {
        return Tenancy.look(call, () -> super.getIntHeader(name));
    }

    @Override
    public HttpServletMapping getHttpServletMapping() {
        return Tenancy.look(call, super::getHttpServletMapping);
    }

    @Override
    public String getMethod() {
        return Tenancy.look(call, super::getMethod);
    }

    @Override
    public String getPathInfo() {
        return Tenancy.look(call, super::getPathInfo);
    }

    @Override
    public String getPathTranslated() {
        return Tenancy.look(call, super::getPathTranslated);
    }

    @Override
    public PushBuilder newPushBuilder() {
        return Tenancy.look(call, super::newPushBuilder);
    }

    @Override
    public String getContextPath() {
        return Tenancy.look(call, super::getContextPath);
    }

    @Override
    public String getQueryString() {
        return Tenancy.look(call, super::getQueryString);
    }

    @Override
    public String getRemoteUser() {
        return Tenancy.look(call, super::getRemoteUser);
    }

    @Override
    public boolean isUserInRole(String role) {
        return Tenancy.look(call, () -> super.isUserInRole(role));
    }

    @Override
    public Principal getUserPrincipal() {
        return Tenancy.look(call, super::getUserPrincipal);
    }

    @Override
    public String getRequestedSessionId() {
        return Tenancy.look(call, super::getRequestedSessionId);
    }

    @Override
    public String getRequestURI() {
        return Tenancy.look(call, super::getRequestURI);
    }

    @Override
    public StringBuffer getRequestURL() {
        return Tenancy.look(call, super::getRequestURL);
    }

    @Override
    public String getServletPath() {
        return Tenancy.look(call, super::getServletPath);
    }

    @Override
    public HttpSession getSession(boolean create) {
        return Tenancy.look(call, () -> super.getSession(create));
    }

    @Override
    public HttpSession getSession() {
        return Tenancy.look(call, () -> super.getSession());
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        return Tenancy.look(call, super::isRequestedSessionIdValid);
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        return Tenancy.look(call, super::isRequestedSessionIdFromCookie);
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        return Tenancy.look(call, super::isRequestedSessionIdFromURL);
    }

    @Override
    public Map<String, String> getTrailerFields() {
        return Tenancy.look(call, super::getTrailerFields);
    }

    @Override
    public boolean isTrailerFieldsReady() {
        return Tenancy.look(call, super::isTrailerFieldsReady);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return Tenancy.look(call, super::getAttributeNames);
    }

    @Override
    public String getCharacterEncoding() {
        return Tenancy.look(call, super::getCharacterEncoding);
    }

    @Override
    public int getContentLength() {
        return Tenancy.look(call, super::getContentLength);
    }

    @Override
    public long getContentLengthLong() {
        return Tenancy.look(call, super::getContentLengthLong);
    }

    @Override
    public String getContentType() {
        return Tenancy.look(call, super::getContentType);
    }

    @Override
    public String getProtocol() {
        return Tenancy.look(call, super::getProtocol);
    }

    @Override
    public String getScheme() {
        return Tenancy.look(call, super::getScheme);
    }

    @Override
    public String getServerName() {
        return Tenancy.look(call, super::getServerName);
    }

    @Override
    public int getServerPort() {
        return Tenancy.look(call, super::getServerPort);
    }

    @Override
    public String getRemoteAddr() {
        return Tenancy.look(call, super::getRemoteAddr);
    }

    @Override
    public String getRemoteHost() {
        return Tenancy.look(call, super::getRemoteHost);
    }

    @Override
    public Locale getLocale() {
        return Tenancy.look(call, super::getLocale);
    }

    @Override
    public Enumeration<Locale> getLocales() {
        return Tenancy.look(call, super::getLocales);
    }

    @Override
    public boolean isSecure() {
        return Tenancy.look(call, super::isSecure);
    }

    @Override
    public RequestDispatcher getRequestDispatcher(String path) {
        return Tenancy.look(call, () -> super.getRequestDispatcher(path));
    }

    @Override
    public int getRemotePort() {
        return Tenancy.look(call, super::getRemotePort);
    }

    @Override
    public String getLocalName() {
        return Tenancy.look(call, super::getLocalName);
    }

    @Override
    public String getLocalAddr() {
        return Tenancy.look(call, super::getLocalAddr);
    }

    @Override
    public int getLocalPort() {
        return Tenancy.look(call, super::getLocalPort);
    }

    @Override
    public boolean isAsyncStarted() {
        return Tenancy.look(call, super::isAsyncStarted);
    }

    @Override
    public boolean isAsyncSupported() {
        return Tenancy.look(call, super::isAsyncSupported);
    }

    @Override
    public DispatcherType getDispatcherType() {
        return Tenancy.look(call, super::getDispatcherType);
    }

    @Override
    public String getRequestId() {
        return Tenancy.look(call, super::getRequestId);
    }

    @Override
    public String getProtocolRequestId() {
        return Tenancy.look(call, super::getProtocolRequestId);
    }

    @Override
    public ServletConnection getServletConnection() {
        return Tenancy.look(call, super::getServletConnection);
    }

    @Override
    public ServletContext getServletContext() {
        return Tenancy.look(call, super::getServletContext);
    }
}
