package dev.hangup;

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

/** Everything of a request that is looked at and does no I/O, each through {@link Tenancy#look(java.util.function.Supplier)}. */
@SuppressWarnings("NullAway") // the servlet API is not annotated: null where the container says null
abstract class GuardedLooks extends HttpServletRequestWrapper {
    final Tenancy tenancy;

    GuardedLooks(Tenancy tenancy, HttpServletRequest request) {
        super(request);
        this.tenancy = tenancy;
    }

    @Override
    public String getAuthType() {
        return tenancy.look(super::getAuthType);
    }

    @Override
    public Cookie[] getCookies() {
        return tenancy.look(super::getCookies);
    }

    @Override
    public long getDateHeader(String name) {
        return tenancy.look(() -> super.getDateHeader(name));
    }

    @Override
    public String getHeader(String name) {
        return tenancy.look(() -> super.getHeader(name));
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return tenancy.look(() -> super.getHeaders(name));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return tenancy.look(super::getHeaderNames);
    }

    @Override
    public int getIntHeader(String name) {
        return tenancy.look(() -> super.getIntHeader(name));
    }

    @Override
    public HttpServletMapping getHttpServletMapping() {
        return tenancy.look(super::getHttpServletMapping);
    }

    @Override
    public String getMethod() {
        return tenancy.look(super::getMethod);
    }

    @Override
    public String getPathInfo() {
        return tenancy.look(super::getPathInfo);
    }

    @Override
    public String getPathTranslated() {
        return tenancy.look(super::getPathTranslated);
    }

    @Override
    public PushBuilder newPushBuilder() {
        return tenancy.look(super::newPushBuilder);
    }

    @Override
    public String getContextPath() {
        return tenancy.look(super::getContextPath);
    }

    @Override
    public String getQueryString() {
        return tenancy.look(super::getQueryString);
    }

    @Override
    public String getRemoteUser() {
        return tenancy.look(super::getRemoteUser);
    }

    @Override
    public boolean isUserInRole(String role) {
        return tenancy.look(() -> super.isUserInRole(role));
    }

    @Override
    public Principal getUserPrincipal() {
        return tenancy.look(super::getUserPrincipal);
    }

    @Override
    public String getRequestedSessionId() {
        return tenancy.look(super::getRequestedSessionId);
    }

    @Override
    public String getRequestURI() {
        return tenancy.look(super::getRequestURI);
    }

    @Override
    public StringBuffer getRequestURL() {
        return tenancy.look(super::getRequestURL);
    }

    @Override
    public String getServletPath() {
        return tenancy.look(super::getServletPath);
    }

    @Override
    public HttpSession getSession(boolean create) {
        return tenancy.look(() -> super.getSession(create));
    }

    @Override
    public HttpSession getSession() {
        return tenancy.look(() -> super.getSession());
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        return tenancy.look(super::isRequestedSessionIdValid);
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        return tenancy.look(super::isRequestedSessionIdFromCookie);
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        return tenancy.look(super::isRequestedSessionIdFromURL);
    }

    @Override
    public Map<String, String> getTrailerFields() {
        return tenancy.look(super::getTrailerFields);
    }

    @Override
    public boolean isTrailerFieldsReady() {
        return tenancy.look(super::isTrailerFieldsReady);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return tenancy.look(super::getAttributeNames);
    }

    @Override
    public String getCharacterEncoding() {
        return tenancy.look(super::getCharacterEncoding);
    }

    @Override
    public int getContentLength() {
        return tenancy.look(super::getContentLength);
    }

    @Override
    public long getContentLengthLong() {
        return tenancy.look(super::getContentLengthLong);
    }

    @Override
    public String getContentType() {
        return tenancy.look(super::getContentType);
    }

    @Override
    public String getProtocol() {
        return tenancy.look(super::getProtocol);
    }

    @Override
    public String getScheme() {
        return tenancy.look(super::getScheme);
    }

    @Override
    public String getServerName() {
        return tenancy.look(super::getServerName);
    }

    @Override
    public int getServerPort() {
        return tenancy.look(super::getServerPort);
    }

    @Override
    public String getRemoteAddr() {
        return tenancy.look(super::getRemoteAddr);
    }

    @Override
    public String getRemoteHost() {
        return tenancy.look(super::getRemoteHost);
    }

    @Override
    public Locale getLocale() {
        return tenancy.look(super::getLocale);
    }

    @Override
    public Enumeration<Locale> getLocales() {
        return tenancy.look(super::getLocales);
    }

    @Override
    public boolean isSecure() {
        return tenancy.look(super::isSecure);
    }

    @Override
    public RequestDispatcher getRequestDispatcher(String path) {
        return tenancy.look(() -> super.getRequestDispatcher(path));
    }

    @Override
    public int getRemotePort() {
        return tenancy.look(super::getRemotePort);
    }

    @Override
    public String getLocalName() {
        return tenancy.look(super::getLocalName);
    }

    @Override
    public String getLocalAddr() {
        return tenancy.look(super::getLocalAddr);
    }

    @Override
    public int getLocalPort() {
        return tenancy.look(super::getLocalPort);
    }

    @Override
    public boolean isAsyncStarted() {
        return tenancy.look(super::isAsyncStarted);
    }

    @Override
    public boolean isAsyncSupported() {
        return tenancy.look(super::isAsyncSupported);
    }

    @Override
    public DispatcherType getDispatcherType() {
        return tenancy.look(super::getDispatcherType);
    }

    @Override
    public String getRequestId() {
        return tenancy.look(super::getRequestId);
    }

    @Override
    public String getProtocolRequestId() {
        return tenancy.look(super::getProtocolRequestId);
    }

    @Override
    public ServletConnection getServletConnection() {
        return tenancy.look(super::getServletConnection);
    }

    @Override
    public ServletContext getServletContext() {
        return tenancy.look(super::getServletContext);
    }
}
