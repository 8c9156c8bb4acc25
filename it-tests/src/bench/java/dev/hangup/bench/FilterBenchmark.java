package dev.hangup.bench;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What the filter adds to a request that is over before anybody looks at it, container aside: {@code mvn -Pbench}. Subtract
 * {@code bare}; read bytes per operation with {@code -prof gc}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class FilterBenchmark {
    private Hangup hangup;
    private HangupFilter filter;
    private HttpServletRequest unmatched;
    private HttpServletRequest named;
    private HttpServletResponse response;
    private FilterChain chain;

    /** Starts a real engine with its watcher. */
    @Setup
    public void start(Blackhole blackhole) throws ServletException {
        hangup = Hangup.builder()
                .policy(Policy.builder()
                        .endpoint("GET /reports/{id}", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30)))
                        .build())
                .build();
        filter = new HangupFilter(hangup);
        ServletContext context = nothing(ServletContext.class);
        filter.init((FilterConfig) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FilterConfig.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getServletContext" -> context;
                    case "getInitParameterNames" -> Collections.emptyEnumeration();
                    default -> null;
                }));
        unmatched = new FastRequest("/fast/it");
        named = new FastRequest("/reports/7");
        response = new HttpServletResponseWrapper(nothing(HttpServletResponse.class));
        chain = (request, answer) -> blackhole.consume(request);
    }

    @TearDown
    public void stop() {
        hangup.close();
    }

    /** The application alone. */
    @Benchmark
    public void bare() throws IOException, ServletException {
        chain.doFilter(unmatched, response);
    }

    /** An endpoint without an entry: observed. */
    @Benchmark
    public void observed() throws IOException, ServletException {
        filter.doFilter(unmatched, response, chain);
    }

    /** An endpoint that cancels: guarded. */
    @Benchmark
    public void guarded() throws IOException, ServletException {
        filter.doFilter(named, response, chain);
    }

    private static <T> T nothing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                FilterBenchmark.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> null));
    }

    /** Answers what the filter asks at the speed of a container, that is: from fields. */
    static final class FastRequest extends HttpServletRequestWrapper implements HttpServletMapping {
        private final String path;

        FastRequest(String path) {
            super(nothing(HttpServletRequest.class));
            this.path = path;
        }

        @Override
        public String getMethod() {
            return "GET";
        }

        @Override
        public String getServletPath() {
            return path;
        }

        @Override
        public String getPathInfo() {
            return null;
        }

        @Override
        public DispatcherType getDispatcherType() {
            return DispatcherType.REQUEST;
        }

        @Override
        public boolean isAsyncStarted() {
            return false;
        }

        @Override
        public HttpServletMapping getHttpServletMapping() {
            return this;
        }

        @Override
        public String getMatchValue() {
            return "";
        }

        @Override
        public String getPattern() {
            return "/";
        }

        @Override
        public String getServletName() {
            return "fast";
        }

        @Override
        public MappingMatch getMappingMatch() {
            return MappingMatch.DEFAULT;
        }
    }
}
