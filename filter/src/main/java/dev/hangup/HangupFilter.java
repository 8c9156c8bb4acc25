package dev.hangup;

import dev.hangup.call.Arrival;
import dev.hangup.call.CallScope;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Routes;
import dev.hangup.policy.Rule;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@linkplain dev.hangup.call.Call call} of each request. To be mapped first, to all paths and dispatcher types, with
 * async supported.
 *
 * <p>Its engine is the one given, else the {@link Hangup} in the ServletContext attribute {@link Hangup#ATTRIBUTE}, else one that
 * it builds from init-params and context-params (and closes when it is destroyed).
 */
public final class HangupFilter implements Filter {
    /** What no entry matches. */
    private static final String NO_PATH = "?";

    private final EndpointNames names = new EndpointNames();
    /** Written by init, before any request; so is what follows. */
    private @Nullable Hangup hangup;

    private Annotated annotated = Annotated.none();

    private Routes routes = new Routes();

    private @Nullable Hangup own;
    private @Nullable ServletContext home;
    private @Nullable Consumer<Policy> follower;

    /** A filter that finds or builds its engine when it is initialized. */
    public HangupFilter() {}

    /** A filter of an engine that the application keeps and closes. */
    public HangupFilter(Hangup hangup) {
        this.hangup = hangup;
    }

    /**
     * {@inheritDoc}
     *
     * @throws ServletException if the configuration is wrong; its message names every key, its value and what was expected
     */
    @Override
    public void init(FilterConfig config) throws ServletException {
        ServletContext context = config.getServletContext();
        Hangup found = hangup;
        if (found == null && context.getAttribute(Hangup.ATTRIBUTE) instanceof Hangup shared) {
            found = shared;
        }
        if (found == null) {
            found = FilterParameters.build(config);
            own = found;
        } else {
            FilterParameters.refuse(config);
        }
        try {
            annotated = Annotated.of(context, found.policy());
        } catch (ServletException | RuntimeException e) {
            if (own != null) {
                own.close();
            }
            throw e;
        }
        hangup = found;
        home = context;
        context.setAttribute(Hangup.ATTRIBUTE, found);
        routes = Routes.of(context::getAttribute, context::setAttribute);
        Hangup engine = found;
        AnnotatedLine servlets = new AnnotatedLine("servlets", engine::policy, annotated::cancelling);
        AnnotatedLine endpoints = new AnnotatedLine("endpoints", engine::policy, routes::cancelling);
        if (own != null) {
            own.announce(servlets.first());
        }
        routes.tell(endpoints::say, endpoints::late);
        follower = policy -> {
            names.forget();
            context.setAttribute(Hangup.POLICY_ATTRIBUTE, policy);
            routes.follow(policy, rule -> engine.endpointKnown(rule.endpoint(), rule));
            servlets.say();
            endpoints.say();
        };
        engine.follow(follower);
    }

    /** Closes the engine, if this filter has built it. */
    @Override
    public void destroy() {
        if (hangup != null && follower != null) {
            hangup.unfollow(follower); // or an engine that outlives this context would keep it
            routes.unfollow();
        }
        if (own != null && home != null) {
            own.close();
            home.removeAttribute(Hangup.ATTRIBUTE); // or the next filter here would find a closed engine
            home.removeAttribute(Hangup.POLICY_ATTRIBUTE);
        }
        ComparedRecords.forget();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Hangup engine = hangup;
        if (engine == null
                || engine.isClosed()
                || !(request instanceof HttpServletRequest http)
                || !(response instanceof HttpServletResponse httpResponse)
                || CallScope.current() != null) { // forwarded, included, or mapped twice: it is the same call
            chain.doFilter(request, response);
        } else if (http.getDispatcherType() == DispatcherType.REQUEST) {
            begin(engine, http, httpResponse, chain);
        } else if (http.getAttribute(Passage.ATTRIBUTE) instanceof Passage passage) {
            passage.resume(http, httpResponse, chain);
        } else if (http.getAttribute(Passage.ATTRIBUTE) != Passage.ANSWERED) {
            chain.doFilter(request, response); // an error page of a call that has ended
        }
    }

    private void begin(Hangup engine, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Policy policy = engine.policy();
        String method = request.getMethod();
        String path = path(request);
        Rule found = policy.ruleFor(method, path);
        Rule routed = routes.isEmpty() ? null : routes.find(policy, found, method, path, Annotated.name(request));
        String servlet = routed != null || annotated.isEmpty() ? null : annotated.servlet(request);
        if (found.off() && servlet == null && routed == null) {
            chain.doFilter(request, response);
            return;
        }
        String endpoint = routed != null
                ? routed.endpoint()
                : found.named() ? found.endpoint() : names.of(request, found, engine);
        Rule rule = routed != null
                ? routed
                : servlet == null ? found : annotated.rule(policy, found, endpoint, servlet, engine);
        if (rule.off()) {
            chain.doFilter(request, response);
            return;
        }
        boolean guarded = rule.treatment().cancels();
        Arrival arrival = engine.arrival(policy, request);
        CallScope call = CallScope.begin(
                engine.runtime(),
                method,
                endpoint,
                rule.treatment(),
                rule.deadline(),
                arrival,
                guarded,
                request,
                response);
        Ending ending = null;
        boolean admitted = true;
        if (guarded) {
            try {
                ending = new Ending(engine, call, request, response, policy.settings());
                call.response(ending);
                admitted = engine.admits(call);
            } catch (RuntimeException | Error e) {
                call.leave(); // or the thread's next request would begin inside this one
                call.responseOver();
                throw e;
            }
        }
        if (ending != null && !admitted) {
            Passage.refuse(call, ending);
            return;
        }
        Passage.begin(call, request, response, ending, chain);
    }

    /**
     * The path below the context, decoded; no new string where the mapping does not split it. Jetty, where it is told to let ambiguous
     * paths in, has none for them (an encoded slash): the application may do without, and so do we.
     */
    private static String path(HttpServletRequest request) {
        String servlet;
        String info;
        try {
            servlet = request.getServletPath();
            info = request.getPathInfo();
        } catch (IllegalArgumentException ambiguous) {
            return NO_PATH;
        }
        if (info == null) {
            return servlet;
        }
        return servlet.isEmpty() ? info : servlet + info;
    }
}
