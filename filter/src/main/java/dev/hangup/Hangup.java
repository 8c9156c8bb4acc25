package dev.hangup;

import dev.hangup.call.Arrival;
import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Connection;
import dev.hangup.call.EndpointView;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyChange;
import dev.hangup.policy.PolicyException;
import dev.hangup.policy.PolicyFile;
import dev.hangup.policy.PolicyProblem;
import dev.hangup.policy.Rule;
import dev.hangup.watch.CallerWatch;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The engine: a policy, a watcher thread, a few canceller threads, and whoever listens. One per application; thread-safe.
 *
 * <pre>{@code
 * Hangup hangup = Hangup.builder()
 *         .policyFile(Path.of("/etc/hangup.yaml"))
 *         .build();
 * context.addFilter(new FilterHolder(new HangupFilter(hangup)), "/*", EnumSet.allOf(DispatcherType.class));
 * }</pre>
 *
 * <p>A running engine has threads; {@link #close()} ends them.
 */
public final class Hangup implements AutoCloseable {
    /** The ServletContext attribute in which {@link HangupFilter} looks for an engine, and leaves its own. */
    public static final String ATTRIBUTE = "dev.hangup.Hangup";

    /** The ServletContext attribute that holds the {@link Policy} in force. */
    public static final String POLICY_ATTRIBUTE = "dev.hangup.policy.Policy";

    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final Engine engine;
    /** Guarded by itself. */
    private final List<Consumer<Policy>> followers = new ArrayList<>();

    private final @Nullable PolicyReload reload;
    /** The endpoints that listeners know. */
    private final Set<String> named = ConcurrentHashMap.newKeySet();
    /** Endpoints without an entry that were seen to cancel by default: only reading ones do. */
    private final Set<String> unnamed = ConcurrentHashMap.newKeySet();

    /** Written by one thread, the reload's. */
    private volatile Policy policy;

    private Hangup(Policy policy, PolicyFile file, List<CallListener> listeners, List<CallerWatch.Source> watches) {
        this.policy = policy;
        this.engine = new Engine(policy, listeners, watches);
        engine.start();
        tellOf(policy);
        this.reload = file.isReloadable() ? new PolicyReload(file, this::accept, this::refuse) : null;
    }

    /**
     * Says what has begun: once, in one line.
     *
     * @param beside what else cancels, as far as it is known; or nothing
     */
    void announce(String beside) {
        LOG.log(
                Level.INFO,
                "Hangup watches over this application: {0}; {1}",
                policy.describe() + (beside.isEmpty() ? "" : "; " + beside),
                engine.describe());
    }

    /** A builder that begins with the defaults: every call has a deadline of 30 s and is observed; nothing is cancelled. */
    public static Builder builder() {
        return new Builder();
    }

    /** The policy in force. Where it was read from a file that changes, the next one follows within seconds. */
    public Policy policy() {
        return policy;
    }

    /**
     * Told of the policy in force, now, and of each that follows, on the thread that found it.
     *
     * <p>Race: a new policy and a new follower. Both hold the followers' lock, so that nobody is told of the old one last.
     */
    void follow(Consumer<Policy> follower) {
        synchronized (followers) {
            followers.add(follower);
            follower.accept(policy);
        }
    }

    void unfollow(Consumer<Policy> follower) {
        synchronized (followers) {
            followers.remove(follower);
        }
    }

    /** Calls that are under way keep the rule that they began with. */
    private void accept(Policy next) {
        Policy last = policy;
        engine.policy(next);
        Set<String> gone = new HashSet<>(named);
        next.rules().forEach(rule -> gone.remove(rule.endpoint()));
        named.removeAll(gone);
        gone.forEach(endpoint -> engine.listener().endpointKnown(new Gone(endpoint)));
        unnamed.forEach(endpoint -> endpointKnown(endpoint, next.byDefault("GET")));
        tellOf(next);
        synchronized (followers) {
            policy = next;
            followers.forEach(follower -> follower.accept(next));
        }
        PolicyChange change = new PolicyChange(last, next);
        LOG.log(
                change.modes() ? Level.WARNING : Level.INFO,
                "Hangup has a new policy: {0}; {1}",
                next.describe(),
                change.describe());
    }

    /** The old one stays. */
    private void refuse(PolicyException wrong) {
        engine.listener().policyRefused();
        for (PolicyProblem error : wrong.errors()) {
            LOG.log(Level.WARNING, "Hangup keeps its policy: " + error);
        }
    }

    private void tellOf(Policy known) {
        known.rules().forEach(rule -> endpointKnown(rule.endpoint(), rule));
        engine.listener().policyLoaded(known.loadedAt().toEpochMilli() / 1000.0);
    }

    /**
     * How the deadline of each endpoint that the policy names reads beside the patience of its callers, as of now: for a page that
     * shows it. At most 300, in alphabetical order.
     */
    public List<EndpointReading> readings() {
        return engine.readings();
    }

    /** The longest that the watcher has been busy between two looks at its sockets: how late a departure could be seen. */
    public Duration longestWatcherRound() {
        return engine.longestWatcherRound();
    }

    /**
     * Ends the engine: calls that begin from now on are none of its own; where the endpoint cancels, work for callers who have
     * left is cancelled at once, and the rest when {@code settings.drain} is over. Returns when that is done and all threads have
     * ended; further calls of this method do nothing.
     */
    @Override
    public void close() {
        if (reload != null) {
            reload.close();
        }
        engine.close();
    }

    CallRuntime runtime() {
        return engine;
    }

    /** What is known of a request's deadline before its call begins, see {@link Engine#arrival}. */
    Arrival arrival(Policy inForce, HttpServletRequest request) {
        return engine.arrival(inForce, request);
    }

    /** Whether the work of a call that has just begun may begin, see {@link Engine#admits}. */
    boolean admits(CallScope call) {
        return engine.admits(call);
    }

    /** How this call's caller has ended its connection; null if it has not, as far as can be told. On a worker, while its response is not over. */
    @Nullable
    CancelReason end(CallScope call) {
        return engine.end(call);
    }

    /** The way to break off this request's connection, or null if there is none. */
    @Nullable
    Connection wire(Object request) {
        return engine.wire(request);
    }

    boolean isClosed() {
        return engine.isClosed();
    }

    /** An endpoint has this name and is treated like this, by a policy's entry or by its defaults. Any thread. */
    void endpointKnown(String endpoint, Rule rule) {
        (rule.named() ? named : unnamed).add(endpoint);
        engine.listener().endpointKnown(new View(endpoint, rule));
    }

    /** Makes an engine; not for use by several threads at once. */
    public static final class Builder {
        private PolicyFile file = PolicyFile.none();
        private @Nullable Policy policy;
        private final List<CallListener> listeners = new ArrayList<>();
        private final List<CallerWatch.Source> watches = new ArrayList<>();

        private Builder() {}

        /** The policy, in place of an earlier one or a file. */
        public Builder policy(Policy policy) {
            this.policy = policy;
            return this;
        }

        /**
         * A policy file, read now, in place of an earlier policy or file; what is wrong with it is said by {@link #build()}. The
         * engine looks at it every second: a changed one is in force within five, a wrong one changes nothing and is a WARNING.
         */
        public Builder policyFile(Path file) {
            return policyFile(PolicyFile.read(file));
        }

        /** As {@link #policyFile(Path)}, for texts and parameters that were read already. */
        public Builder policyFile(PolicyFile file) {
            this.file = file;
            this.policy = null;
            return this;
        }

        /** Somebody who hears what happens to calls, for example {@code HangupMetrics}. */
        public Builder listener(CallListener listener) {
            listeners.add(listener);
            return this;
        }

        /** A watch that is asked before the containers' own: for tests, which plant one that errs. */
        Builder watch(CallerWatch.Source source) {
            watches.add(source);
            return this;
        }

        /**
         * Starts the engine.
         *
         * @throws dev.hangup.policy.PolicyException if the policy file is wrong; nothing has been started then
         */
        public Hangup build() {
            Hangup hangup = unannounced();
            hangup.announce("");
            return hangup;
        }

        /** As {@link #build()}, for whoever has more to say of it than the policy and announces it. */
        Hangup unannounced() {
            return new Hangup(
                    policy == null ? file.policy() : policy,
                    policy == null ? file : PolicyFile.none(),
                    listeners,
                    watches);
        }
    }

    /** An endpoint that the policy in force does not name any more. */
    private record Gone(String endpoint) implements EndpointView {
        @Override
        public Duration deadline() {
            return Duration.ZERO;
        }

        @Override
        public boolean cancels() {
            return false;
        }
    }

    private record View(String endpoint, Rule rule) implements EndpointView {
        @Override
        public Duration deadline() {
            return rule.deadline();
        }

        @Override
        public boolean cancels() {
            return rule.treatment().cancels();
        }
    }
}
