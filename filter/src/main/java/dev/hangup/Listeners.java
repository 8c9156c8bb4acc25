package dev.hangup;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.ConnectionEvent;
import dev.hangup.call.EndpointView;
import dev.hangup.call.Log;
import dev.hangup.call.Outcome;
import dev.hangup.call.Pool;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.call.Unwatched;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All listeners as one. What one of them throws is logged and keeps nobody else from hearing. */
final class Listeners implements CallListener {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final CallListener[] all;
    private final List<CallListener> found;
    private final String description;

    private Listeners(List<CallListener> own, List<CallListener> given, List<CallListener> found) {
        List<CallListener> others = new ArrayList<>(given);
        others.addAll(found);
        this.all = Stream.concat(own.stream(), others.stream()).toArray(CallListener[]::new);
        this.found = found;
        this.description = others.isEmpty()
                ? "registry none"
                : others.stream().map(CallListener::describe).collect(Collectors.joining(", "));
    }

    /** Our own log and worker pool, those given, and those found on the class path of a kind that was not given. */
    static Listeners of(List<CallListener> given, CallListener... own) {
        List<CallListener> ours = new ArrayList<>(Arrays.asList(own));
        ours.add(new CallLog());
        return new Listeners(ours, given, discovered(given));
    }

    /** A provider whose own dependency is missing (metrics without Micrometer) is as if it were not there. */
    private static List<CallListener> discovered(List<CallListener> given) {
        List<CallListener> found = new ArrayList<>();
        Iterator<ServiceLoader.Provider<CallListener>> providers =
                ServiceLoader.load(CallListener.class, CallListener.class.getClassLoader()).stream()
                        .iterator();
        while (true) {
            try {
                if (!providers.hasNext()) {
                    return found;
                }
                ServiceLoader.Provider<CallListener> provider = providers.next();
                // Asked before it is made: metrics that nobody wants would already have made meters.
                if (given.stream()
                        .noneMatch(listener -> provider.type().isInstance(listener)
                                || listener.getClass().isAssignableFrom(provider.type()))) {
                    found.add(provider.get());
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                LOG.log(Level.DEBUG, "a listener on the class path cannot be used: {0}", e.toString());
            }
        }
    }

    /** Closes what was found, not what was given: a redeployed application must not stay in a registry that outlives it. */
    void close() {
        for (CallListener listener : found) {
            if (listener instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (Exception e) {
                    LOG.log(
                            Level.WARNING,
                            "a listener did not close: " + listener.getClass().getName(),
                            e);
                }
            }
        }
    }

    /** Those that are not our own, as the log names them. */
    @Override
    public String describe() {
        return description;
    }

    private void each(Consumer<CallListener> event) {
        for (CallListener listener : all) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                Log.log(
                        Level.WARNING,
                        "a listener failed: " + listener.getClass().getName(),
                        e);
            }
        }
    }

    @Override
    public void poolKnown(Pool pool) {
        each(listener -> listener.poolKnown(pool));
    }

    @Override
    public void endpointKnown(EndpointView endpoint) {
        each(listener -> listener.endpointKnown(endpoint));
    }

    @Override
    public void unwatched(CallScope call, Unwatched cause) {
        each(listener -> listener.unwatched(call, cause));
    }

    @Override
    public void watchContradicted(String watch) {
        each(listener -> listener.watchContradicted(watch));
    }

    @Override
    public void callerGone(CallScope call, CancelReason cause) {
        each(listener -> listener.callerGone(call, cause));
    }

    @Override
    public void unowned(CallScope call) {
        each(listener -> listener.unowned(call));
    }

    @Override
    public void workerJoins(CallScope call) {
        each(listener -> listener.workerJoins(call));
    }

    @Override
    public void workerLeaves(CallScope call) {
        each(listener -> listener.workerLeaves(call));
    }

    @Override
    public void cancelled(CallScope call, CancelReason reason) {
        each(listener -> listener.cancelled(call, reason));
    }

    @Override
    public void detached(CallScope call) {
        each(listener -> listener.detached(call));
    }

    @Override
    public void stuck(CallScope call, List<StackTraceElement> where) {
        each(listener -> listener.stuck(call, where));
    }

    @Override
    public void shielded(CallScope call, List<StackTraceElement> where) {
        each(listener -> listener.shielded(call, where));
    }

    @Override
    public void connection(Pool pool, ConnectionEvent event) {
        each(listener -> listener.connection(pool, event));
    }

    @Override
    public void transaction(Pool pool, TransactionOutcome outcome) {
        each(listener -> listener.transaction(pool, outcome));
    }

    /** Every request comes here: no lambda, so that nothing is allocated. */
    @Override
    public void ended(CallScope call, Outcome outcome) {
        for (CallListener listener : all) {
            try {
                listener.ended(call, outcome);
            } catch (RuntimeException | Error e) {
                Log.log(
                        Level.WARNING,
                        "a listener failed: " + listener.getClass().getName(),
                        e);
            }
        }
    }

    @Override
    public void policyLoaded(double epochSeconds) {
        each(listener -> listener.policyLoaded(epochSeconds));
    }

    @Override
    public void callerTimeout(String endpoint, @Nullable Duration timeout) {
        each(listener -> listener.callerTimeout(endpoint, timeout));
    }

    @Override
    public void deadlineHeaderRejected(String header) {
        each(listener -> listener.deadlineHeaderRejected(header));
    }

    @Override
    public void policyRefused() {
        each(CallListener::policyRefused);
    }
}
