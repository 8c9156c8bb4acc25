package dev.hangup.bench;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.policy.Policy;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.glassfish.hk2.utilities.binding.AbstractBinder;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ResourceConfig;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the extension adds to a request for a resource without annotation, container aside: behind the filter, through Jersey, with
 * the extension and without. The difference is what naming the endpoint costs, and passing by.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 8, time = 2)
@Fork(2)
public class JerseyBenchmark {
    private static final URI BASE = URI.create("http://localhost/");
    private static final URI DIRECT = URI.create("http://localhost/reports/7");
    private static final URI LOCATED = URI.create("http://localhost/reports/sub/7/leaf/8");
    private static final SecurityContext NOBODY = nothing(SecurityContext.class);

    /** Whether Jersey finds the extension. */
    @Param({"false", "true"})
    public boolean extension;

    private Hangup hangup;
    private HangupFilter filter;
    private ResourceConfig config;
    private ApplicationHandler jersey;
    private HttpServletResponse response;

    /** Two levels of path. */
    @Path("reports")
    public static class Reports {
        /** Nothing to do. */
        @GET
        @Path("{id}")
        public String one(@PathParam("id") String id) {
            return id;
        }

        /** One more resource to be found. */
        @Path("sub/{x}")
        public Sub sub() {
            return new Sub();
        }
    }

    /** Behind a locator. */
    public static class Sub {
        /** Nothing to do. */
        @GET
        @Path("leaf/{y}")
        public String leaf(@PathParam("y") String y) {
            return y;
        }
    }

    /** Starts a real engine and a real Jersey. */
    @Setup
    public void start() throws ServletException {
        hangup = Hangup.builder().policy(Policy.defaults()).build();
        filter = new HangupFilter(hangup);
        ServletContext context = context();
        filter.init((FilterConfig) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FilterConfig.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getServletContext" -> context;
                    case "getInitParameterNames" -> Collections.emptyEnumeration();
                    default -> null;
                }));
        config = new ResourceConfig(Reports.class)
                .property("jakarta.ws.rs.loadServices", extension)
                .register(new AbstractBinder() {
                    @Override
                    protected void configure() {
                        bind(context).to(ServletContext.class);
                    }
                });
        jersey = new ApplicationHandler(config);
        response = new HttpServletResponseWrapper(nothing(HttpServletResponse.class));
    }

    private static ServletContext context() {
        Map<Object, Object> attributes = new ConcurrentHashMap<>();
        return (ServletContext) Proxy.newProxyInstance(
                JerseyBenchmark.class.getClassLoader(),
                new Class<?>[] {ServletContext.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "setAttribute" -> attributes.put(args[0], args[1]);
                    case "getAttribute" -> attributes.get(args[0]);
                    case "getContextPath" -> "";
                    case "hashCode" -> 1;
                    case "equals" -> proxy == args[0];
                    default -> null;
                });
    }

    @TearDown
    public void stop() {
        hangup.close();
    }

    /** A resource method. */
    @Benchmark
    public void direct() throws IOException, ServletException {
        serve(DIRECT);
    }

    /** A method behind a locator. */
    @Benchmark
    public void located() throws IOException, ServletException {
        serve(LOCATED);
    }

    private void serve(URI uri) throws IOException, ServletException {
        filter.doFilter(new FilterBenchmark.FastRequest(uri.getPath()), response, (request, answer) -> {
            ContainerRequest asked =
                    new ContainerRequest(BASE, uri, "GET", NOBODY, new MapPropertiesDelegate(), config);
            try {
                jersey.apply(asked, OutputStream.nullOutputStream()).get();
            } catch (InterruptedException | ExecutionException e) {
                throw new ServletException(e);
            }
        });
    }

    static <T> T nothing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                JerseyBenchmark.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> null));
    }
}
