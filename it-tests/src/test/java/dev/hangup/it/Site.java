package dev.hangup.it;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an embedded container serves, said once for all containers through the Servlet API alone.
 * Filters run in the order in which they were added; everything supports async.
 */
public final class Site {

    private final List<Consumer<ServletContext>> steps = new ArrayList<>();
    private final Map<Integer, String> errorPages = new LinkedHashMap<>();
    private final Queue<String> accessLog = new ConcurrentLinkedQueue<>();
    private int maxThreads = 50;
    private String address = "127.0.0.1";
    private Wire wire = Wire.PLAIN;
    private boolean virtualThreads;
    private @Nullable Duration idleTimeout;
    private boolean remoteErrorsTold = true;
    private boolean resetsUnlimited;
    private boolean forwardedBelieved;
    private boolean ambiguousPaths;
    private int streamsAtOnce = 20;

    /** How many requests can be worked on at once. */
    public Site maxThreads(int threads) {
        maxThreads = threads;
        return this;
    }

    public int maxThreads() {
        return maxThreads;
    }

    /** The address that the container listens on; the loopback's unless said otherwise. */
    public Site address(String local) {
        address = local;
        return this;
    }

    public String address() {
        return address;
    }

    /** How callers are connected; plain HTTP/1.1 unless said otherwise. */
    public Site wire(Wire kind) {
        wire = kind;
        return this;
    }

    public Wire wire() {
        return wire;
    }

    /** After how long the container itself gives up a connection on which nothing happens; its own default unless said otherwise. */
    public Site idleTimeout(Duration idle) {
        idleTimeout = idle;
        return this;
    }

    @Nullable
    public Duration idleTimeout() {
        return idleTimeout;
    }

    /** Each request is worked on by a virtual thread of its own, for which there is no most. JDK 21 and later. */
    public Site virtualThreads() {
        virtualThreads = true;
        return this;
    }

    public boolean hasVirtualThreads() {
        return virtualThreads;
    }

    /** Jetty tells nobody that a stream was reset: its {@code notifyRemoteAsyncErrors} is false. */
    public Site remoteErrorsUntold() {
        remoteErrorsTold = false;
        return this;
    }

    public boolean areRemoteErrorsTold() {
        return remoteErrorsTold;
    }

    /** The container bears any number of HTTP/2 resets and small frames, instead of closing the connection after some. */
    public Site resetsUnlimited() {
        resetsUnlimited = true;
        return this;
    }

    public boolean areResetsUnlimited() {
        return resetsUnlimited;
    }

    /** The container believes {@code X-Forwarded-For}: Jetty by its customizer, Tomcat by its valve. */
    public Site forwardedBelieved() {
        forwardedBelieved = true;
        return this;
    }

    public boolean isForwardedBelieved() {
        return forwardedBelieved;
    }

    /** The container lets paths in that can be read in more than one way, such as those with an encoded slash. */
    public Site ambiguousPaths() {
        ambiguousPaths = true;
        return this;
    }

    public boolean areAmbiguousPathsLetIn() {
        return ambiguousPaths;
    }

    /** How many streams of one HTTP/2 connection Tomcat works on at once, 20 unless said otherwise; Jetty has no limit of its own. */
    public Site streamsAtOnce(int streams) {
        streamsAtOnce = streams;
        return this;
    }

    public int streamsAtOnce() {
        return streamsAtOnce;
    }

    /** Where the container dispatches to when the application sends this error. */
    public Site errorPage(int status, String location) {
        errorPages.put(status, location);
        return this;
    }

    public Map<Integer, String> errorPages() {
        return errorPages;
    }

    /** The container's own access log: a line per request that is over, method, path and status. */
    public Queue<String> accessLog() {
        return accessLog;
    }

    public Site servlet(String pattern, Servlet servlet) {
        String name = "servlet-" + steps.size();
        return initializer(context -> {
            ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
            registration.setAsyncSupported(true);
            registration.addMapping(pattern);
        });
    }

    /** Adds a filter for every path and every dispatcher type. */
    public Site filter(Filter filter) {
        String name = "filter-" + steps.size();
        return initializer(context -> {
            FilterRegistration.Dynamic registration = context.addFilter(name, filter);
            registration.setAsyncSupported(true);
            registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
        });
    }

    /** Puts an engine, or anything else, where the application looks for it. */
    public Site attribute(String name, Object value) {
        return initializer(context -> context.setAttribute(name, value));
    }

    /** Adds a step to run, in order, while the application starts. */
    public Site initializer(Consumer<ServletContext> step) {
        steps.add(step);
        return this;
    }

    public void applyTo(ServletContext context) {
        steps.forEach(step -> step.accept(context));
    }
}
