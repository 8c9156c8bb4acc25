package dev.hangup.policy;

import dev.hangup.call.CallScope;
import dev.hangup.call.CallerAware;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An endpoint as a framework's router knows it, made by {@link Routes#route} and kept by the framework's side. Any thread. */
public final class Route {
    private final Routes routes;
    private final String endpoint;
    private final String shape;
    private final @Nullable CallerAware annotation;
    private volatile @Nullable Known known;

    /** The rules of one policy, by what a call was called before. */
    private record Known(Policy policy, Map<String, Rule> rules) {}

    Route(Routes routes, String endpoint, @Nullable CallerAware annotation) {
        this.routes = routes;
        this.endpoint = endpoint;
        this.annotation = annotation;
        Template template = Routes.template(endpoint);
        this.shape = template == null ? "" : template.shape();
    }

    /**
     * The call has come here: from now on it has this endpoint's name, treatment and deadline, unless it had them already. Once for
     * each call, on a worker, before the endpoint's code; not when an asynchronous one is dispatched again.
     *
     * @param policy the one in force
     * @see CallScope#refine
     */
    public void reached(CallScope call, Policy policy) {
        Rule rule = rule(policy, call.endpoint());
        // The deadline of an entry that the filter has found is in force; that of another annotation may not be.
        if (annotation != null
                || !rule.endpoint().equals(call.endpoint())
                || !rule.treatment().equals(call.treatment())) {
            // Routed after a boundary that it began before: it keeps its window.
            call.refine(rule.endpoint(), rule.treatment(), rule.deadlineBefore(call.elapsed()));
        }
    }

    /**
     * The call has come to none of the framework's endpoints: from now on it has what the policy's entry for its request says, or else
     * no name, and what holds for such; whatever annotated template the filter took it for. Unless it is cancelled: then it was that
     * under the name that it had. On a worker, when the framework is through with it.
     *
     * @param method the request's
     */
    public static void missed(CallScope call, Policy policy, String method) {
        Rule rule = policy.unrouted(call.endpoint(), method);
        if (!call.isCancelled()
                && !(rule.endpoint().equals(call.endpoint()) && rule.treatment().equals(call.treatment()))) {
            call.refine(rule.endpoint(), rule.treatment(), rule.deadlineBefore(call.elapsed()));
        }
    }

    /**
     * The rule of a call that has come here.
     *
     * @param soFar what the call is called by then: names of the policy's entries and of the deployment, no caller's
     */
    public Rule rule(Policy policy, String soFar) {
        Known now = known;
        if (now == null || now.policy() != policy) {
            now = new Known(policy, new ConcurrentHashMap<>());
            known = now; // of two who race one is used for nothing but this call
        }
        Rule rule = now.rules().get(soFar);
        if (rule == null) {
            rule = now.rules().computeIfAbsent(soFar, name -> policy.routed(name, endpoint, shape, annotation));
            if (annotation != null || (rule.treatment().cancels() && !rule.named())) {
                routes.made(rule); // the policy's own entries are known
            }
            if (annotation != null) {
                routes.reached(rule, endpoint, shape);
            }
        }
        return rule;
    }

    @Override
    public String toString() {
        return endpoint;
    }
}
