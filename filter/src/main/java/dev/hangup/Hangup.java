package dev.hangup;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Connection;
import dev.hangup.call.EndpointView;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import dev.hangup.policy.Rule;
import dev.hangup.watch.CallerWatch;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    private final Policy policy;
    private final Engine engine;

    private Hangup(Policy policy, List<CallListener> listeners, List<CallerWatch.Source> watches) {
        this.policy = policy;
        this.engine = new Engine(policy, listeners, watches);
        engine.start();
        CallListener listener = engine.listener();
        policy.rules().forEach(rule -> endpointKnown(rule.endpoint(), rule));
        listener.policyLoaded(policy.loadedAt().toEpochMilli() / 1000.0);
        LOG.log(Level.INFO, "Hangup watches over this application: {0}; {1}", policy.describe(), engine.describe());
    }

    /** A builder that begins with the defaults: every call has a deadline of 30 s and is observed; nothing is cancelled. */
    public static Builder builder() {
        return new Builder();
    }

    /** The policy in force. */
    public Policy policy() {
        return policy;
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
        engine.close();
    }

    CallRuntime runtime() {
        return engine;
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

        /** A policy file, read now, in place of an earlier policy or file; what is wrong with it is said by {@link #build()}. */
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
            return new Hangup(policy == null ? file.policy() : policy, listeners, watches);
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
