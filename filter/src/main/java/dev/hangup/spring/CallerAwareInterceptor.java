package dev.hangup.spring;

import dev.hangup.Hangup;
import dev.hangup.call.CallScope;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Route;
import dev.hangup.policy.Routes;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.core.Ordered;
import org.springframework.web.context.ServletContextAware;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Tells Hangup where Spring MVC has routed a call, and which handlers carry {@link dev.hangup.call.CallerAware}: a method's before
 * its class's, inherited from interfaces, composed into other annotations. Spring 6 and 7. As a bean it is all that is needed:
 *
 * <pre>{@code
 * @Bean
 * CallerAwareInterceptor callerAwareInterceptor() {
 *     return new CallerAwareInterceptor();
 * }
 * }</pre>
 *
 * <p>An annotation whose deadline is none stops the application's start. Handlers whose patterns are more than literals and
 * {@code {name}} ({@code /files/**}) are known only when a request has come to them: these are cancelled without an interrupt.
 */
public final class CallerAwareInterceptor
        implements HandlerInterceptor,
                WebMvcConfigurer,
                ApplicationContextAware,
                ServletContextAware,
                SmartInitializingSingleton {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private static final String REACHED = CallerAwareInterceptor.class.getName() + ".reached";
    /** What serves static files matches every path there is: no route. */
    private static final String EVERYTHING = "/**";

    private final AtomicBoolean warned = new AtomicBoolean();
    private final Map<Place, Route> known = new ConcurrentHashMap<>();
    /** Both written while the application starts. */
    private @Nullable ApplicationContext beans;

    private @Nullable ServletContext context;

    /** A handler under one of its names; Spring may make a copy of it for each request. */
    private record Place(Class<?> type, @Nullable Method method, String endpoint) {

        static Place of(Object handler, String endpoint) {
            return handler instanceof HandlerMethod method
                    ? new Place(method.getBeanType(), method.getMethod(), endpoint)
                    : new Place(handler.getClass(), null, endpoint);
        }
    }

    @Override
    public void setApplicationContext(ApplicationContext beans) {
        this.beans = beans;
    }

    @Override
    public void setServletContext(ServletContext context) {
        this.context = context;
    }

    /** In front of other interceptors, whose work is the call's. */
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).order(Ordered.HIGHEST_PRECEDENCE);
    }

    /**
     * All handlers are known: the filter hears of those that are annotated.
     *
     * @throws IllegalStateException if deadlines are malformed; it names all of them with class and method
     */
    @Override
    public void afterSingletonsInstantiated() {
        if (beans != null && context != null) {
            new AnnotatedHandlers(context).register(beans, routes(context));
        }
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        CallScope call = CallScope.current();
        ServletContext home = request.getServletContext();
        if (call == null) {
            if (home.getAttribute(Hangup.ATTRIBUTE) == null && warned.compareAndSet(false, true)) {
                LOG.log(
                        Level.WARNING,
                        "CallerAwareInterceptor does nothing: HangupFilter is not in front of this application");
            }
        } else if (request.getDispatcherType() != DispatcherType.ERROR // the page, not the endpoint
                && request.getAttribute(REACHED) == null // forwarded, or dispatched again
                && home.getAttribute(Hangup.POLICY_ATTRIBUTE) instanceof Policy policy
                && request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String pattern) {
            request.setAttribute(REACHED, true);
            Route route = route(home, handler, Endpoints.of(request, pattern), pattern);
            if (route != null) {
                route.reached(call, policy);
            }
        }
        return true;
    }

    private @Nullable Route route(ServletContext home, Object handler, String endpoint, String pattern) {
        Place place = Place.of(handler, endpoint);
        Route route = known.get(place);
        if (route == null && !pattern.equals(EVERYTHING)) {
            route = known.computeIfAbsent(
                    place, fresh -> routes(home).route(endpoint, AnnotatedHandlers.annotation(handler)));
        }
        return route;
    }

    private static Routes routes(ServletContext context) {
        return Routes.of(context::getAttribute, context::setAttribute);
    }
}
