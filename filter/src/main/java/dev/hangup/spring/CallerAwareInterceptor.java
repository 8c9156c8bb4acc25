package dev.hangup.spring;

import dev.hangup.Hangup;
import dev.hangup.call.CallScope;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Route;
import dev.hangup.policy.Routes;
import dev.hangup.spring.Endpoints.Mount;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.web.context.ServletContextAware;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.support.RequestContextUtils;

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
 *
 * <p>A {@code Callable}, {@code WebAsyncTask} or {@code StreamingResponseBody} that a handler returns belongs to the call, annotated or
 * not, as after {@link dev.hangup.call.Call#wrap(java.util.concurrent.Callable)}: it holds the call, is interrupted with it, and is
 * never started if the call is cancelled by then. What the application itself runs elsewhere, for a {@code DeferredResult} or an
 * emitter, it wraps itself.
 */
public final class CallerAwareInterceptor
        implements HandlerInterceptor,
                WebMvcConfigurer,
                ApplicationContextAware,
                ServletContextAware,
                SmartInitializingSingleton,
                ApplicationListener<ContextRefreshedEvent> {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    /** Not the page of an error, nor what a page includes. */
    private static final Set<DispatcherType> NAMING =
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.ASYNC);

    private static final String REACHED = CallerAwareInterceptor.class.getName() + ".reached";
    private static final String CALLABLE = CallableCarrier.class.getName();
    /** What serves static files matches every path there is: no route. */
    private static final String EVERYTHING = "/**";

    private final AtomicBoolean warned = new AtomicBoolean();
    private final Map<Place, Route> known = new ConcurrentHashMap<>();
    /** Who finds handlers by patterns of its own, in each context that has a DispatcherServlet. */
    private final Map<ApplicationContext, List<AbstractUrlHandlerMapping>> byPath = new ConcurrentHashMap<>();

    /** Whether the handlers of this bean's own context are still to be registered. */
    private final AtomicBoolean waiting = new AtomicBoolean();
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
        if (beans == null || context == null) {
            return;
        }
        try {
            register(beans, context);
        } catch (UnsupportedOperationException secret) {
            // The listener that starts this context was not declared: where the servlets are is told to whoever comes
            // later.
            new AnnotatedHandlers(Mount.ROOT).register(beans, new Routes());
            waiting.set(true);
        }
    }

    /**
     * A context below this bean's has its handlers: a DispatcherServlet's, which has interceptors of its parents.
     *
     * @throws IllegalStateException as {@link #afterSingletonsInstantiated}
     */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (event.getApplicationContext() != beans
                && event.getApplicationContext() instanceof WebApplicationContext below
                && below.getServletContext() != null) {
            register(below, below.getServletContext());
            waiting.set(false); // those of its parents are among them
        }
    }

    private static void register(ApplicationContext beans, ServletContext context) {
        new AnnotatedHandlers(Endpoints.mounts(context, beans)).register(beans, routes(context));
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
            return true;
        }
        WebAsyncUtils.getAsyncManager(request).registerCallableInterceptor(CALLABLE, new CallableCarrier(call));
        if (NAMING.contains(request.getDispatcherType())
                && request.getAttribute(REACHED) == null // forwarded, or dispatched again
                && home.getAttribute(Hangup.POLICY_ATTRIBUTE) instanceof Policy policy
                && request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String pattern) {
            request.setAttribute(REACHED, true);
            if (waiting.compareAndSet(true, false) && beans != null) {
                register(beans, home);
            }
            Route route = route(request, handler, pattern);
            if (route != null) {
                route.reached(call, policy);
            }
        }
        return true;
    }

    private @Nullable Route route(HttpServletRequest request, Object handler, String pattern) {
        String endpoint = Endpoints.of(request, pattern);
        Place place = Place.of(handler, endpoint);
        Route route = known.get(place);
        if (route == null && !pattern.equals(EVERYTHING) && isDeployed(request, handler, pattern)) {
            route = known.computeIfAbsent(place, fresh -> routes(request.getServletContext())
                    .route(endpoint, AnnotatedHandlers.annotation(handler)));
        }
        return route;
    }

    /**
     * Whether the pattern is the application's. Where a handler is there for what matches none, Spring gives the path itself for one,
     * which is a caller's to choose.
     */
    private boolean isDeployed(HttpServletRequest request, Object handler, String pattern) {
        if (handler instanceof HandlerMethod || handler instanceof HandlerFunction) {
            return true;
        }
        ApplicationContext serving = RequestContextUtils.findWebApplicationContext(request);
        return serving != null
                && byPath.computeIfAbsent(serving, CallerAwareInterceptor::byPath).stream()
                        .anyMatch(mapping -> mapping.getHandlerMap().containsKey(pattern));
    }

    private static List<AbstractUrlHandlerMapping> byPath(ApplicationContext serving) {
        return List.copyOf(
                BeanFactoryUtils.beansOfTypeIncludingAncestors(serving, AbstractUrlHandlerMapping.class, true, false)
                        .values());
    }

    private static Routes routes(ServletContext context) {
        return Routes.of(context::getAttribute, context::setAttribute);
    }
}
