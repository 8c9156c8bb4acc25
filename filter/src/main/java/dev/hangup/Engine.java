package dev.hangup;

import dev.hangup.call.Arrival;
import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Connection;
import dev.hangup.call.WorkerPool;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.KeepAlive;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import dev.hangup.watch.CallerWatch;
import dev.hangup.watch.Canceller;
import dev.hangup.watch.FirstLook;
import dev.hangup.watch.KernelTable;
import dev.hangup.watch.Probes;
import dev.hangup.watch.Requests;
import dev.hangup.watch.WatchHost;
import dev.hangup.watch.Watcher;
import dev.hangup.watch.jetty.JettySource;
import dev.hangup.watch.linux.SocketTable;
import dev.hangup.watch.linux.TableSource;
import dev.hangup.watch.tomcat.TomcatSource;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What calls run on: the watcher, the cancellers and the listeners of one {@link Hangup}. */
final class Engine implements CallRuntime, WatchHost {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private static final int CANCELLERS = 16;

    private static final int UNKNOWN = -1;

    private final @Nullable SocketTable table = SocketTable.ofThisSystem();
    /** Of this engine, not static: they remember a container's classes. */
    private final List<CallerWatch.Source> watches = new ArrayList<>();

    private volatile Policy policy;
    private volatile @Nullable Probes probes;
    private final WorkerPool workers = new WorkerPool(this::workerThreads);

    private final @Nullable CancelBudget budget;
    private final CallerPatience patience = new CallerPatience();
    private final FirstLook firstLook;
    private final Arrivals arrivals;
    private final Listeners listeners;
    private final Watcher watcher;
    private final Canceller canceller = new Canceller(CANCELLERS);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Queue<Runnable> atClose = new ConcurrentLinkedQueue<>();
    /** Written by the watcher when the first request shows it. */
    private volatile int workerThreads = UNKNOWN;

    /** @param further watches that are asked before the containers' own */
    Engine(Policy policy, List<CallListener> given, List<CallerWatch.Source> further) {
        Preloaded.load();
        this.policy = policy;
        probes = probes(policy.settings().keepAlive());
        budget = budget(policy.settings().maxCancelShare());
        listeners = budget == null
                ? Listeners.of(given, workers, new HiddenDepartures(), patience)
                : Listeners.of(given, workers, new HiddenDepartures(), patience, budget);
        patience.tell(listeners);
        listeners.poolKnown(workers);
        watches.addAll(further);
        watches.add(new TomcatSource());
        watches.add(new JettySource());
        if (table != null) {
            watches.add(new TableSource());
        }
        watcher = new Watcher(watches, this);
        firstLook = new FirstLook(watches, watcher::believes);
        arrivals = new Arrivals(watches, listeners, this::warn);
    }

    private static @Nullable Probes probes(@Nullable KeepAlive keepAlive) {
        return keepAlive == null ? null : new Probes(keepAlive.idle(), keepAlive.interval(), keepAlive.count());
    }

    private @Nullable CancelBudget budget(double share) {
        return share < Settings.NO_LIMIT ? new CancelBudget(share, this::warn) : null;
    }

    /** Told to a worker, if need be, which may carry an interrupt: a canceller writes it. */
    private void warn(String line) {
        canceller().execute(() -> write(line));
    }

    private static void write(String line) {
        LOG.log(Level.WARNING, line);
    }

    void start() {
        watcher.start();
        if (budget != null) {
            everySecond(System.nanoTime(), budget::tick);
        }
    }

    private void everySecond(long last, Runnable task) {
        long next = last + Duration.ofSeconds(1).toNanos();
        at(next, () -> {
            task.run();
            everySecond(next, task);
        });
    }

    /** From now on calls are looked at by these numbers; the cancel budget keeps the share that it began with. One thread. */
    void policy(Policy next) {
        Settings last = policy.settings();
        if (!Objects.equals(last.keepAlive(), next.settings().keepAlive())) {
            probes = probes(next.settings().keepAlive());
        }
        if (last.maxCancelShare() != next.settings().maxCancelShare()) {
            LOG.log(
                    Level.WARNING,
                    "settings.max-cancel-share has changed: that takes effect when the application starts again");
        }
        policy = next;
    }

    String describe() {
        List<String> pools = CallerAwareDataSource.wrapped();
        return "wrapped pools " + (pools.isEmpty() ? "none yet" : String.join(", ", pools))
                + "; " + listeners.describe()
                + "; watches " + watches.stream().map(CallerWatch.Source::name).collect(Collectors.joining(", "));
    }

    /**
     * Whether the work of a call that has just begun may begin. False if its caller has left, or its deadline has passed, while the
     * request waited for one of the container's workers. On the worker.
     */
    boolean admits(CallScope call) {
        if (!call.isQueued()) {
            return true;
        }
        if (call.isBelated()) {
            call.deadlinePassed();
            return call.admit();
        }
        CancelReason gone = firstLook.at(call);
        if (gone != null) {
            call.callerGone(gone);
        }
        return call.admit();
    }

    /** What is known of a request's deadline before its call begins. On its worker. */
    Arrival arrival(Policy inForce, HttpServletRequest request) {
        return inForce.listens() || watcher.isSaturated() ? arrivals.of(request, inForce) : Arrival.NOW;
    }

    @Nullable
    CancelReason end(CallScope call) {
        return firstLook.end(call);
    }

    List<EndpointReading> readings() {
        return patience.readings();
    }

    Duration longestWatcherRound() {
        return watcher.longestRound();
    }

    @Nullable
    Connection wire(Object request) {
        for (CallerWatch.Source source : watches) {
            Connection wire = source.wire(request);
            if (wire != null) {
                return wire;
            }
        }
        return null;
    }

    boolean isClosed() {
        return closed.get();
    }

    void close() {
        if (closed.compareAndSet(false, true)) {
            new Drain(watcher::alive).run(policy.settings().drain());
            watcher.close();
            firstLook.close();
            canceller.close();
            runAtClose();
            listeners.close();
        }
    }

    private void runAtClose() {
        for (Runnable next = atClose.poll(); next != null; next = atClose.poll()) {
            next.run();
        }
    }

    @Override
    public void atClose(Runnable action) {
        atClose.add(action);
        // Added, then looked: close() may have been through already.
        if (isClosed()) {
            runAtClose();
        }
    }

    @Override
    public Executor canceller() {
        return canceller;
    }

    @Override
    public void at(long nanoTime, Runnable task) {
        watcher.at(nanoTime, task);
    }

    @Override
    public CallListener listener() {
        return listeners;
    }

    @Override
    public boolean mayCancel(CallScope call) {
        return budget == null || budget.allows(call);
    }

    @Override
    public boolean actsOnDeadlines() {
        return !watcher.debugged();
    }

    /**
     * Its request has waited for longer than its deadline, or where the container's workers are nearly all busy; there it may be
     * turned away only without a body, which its caller may still be sending. Said before the watcher hears of the call, whose grace is then none: it may see the
     * caller gone before anything else happens here.
     */
    @Override
    public void began(CallScope call) {
        if (budget != null) {
            budget.began();
        }
        if (call.treatment().cancels() && call.isBelated() && !watcher.debugged()) {
            call.queued();
        } else if (call.treatment().cancels() && watcher.isSaturated()) {
            call.tryLook(request -> {
                if (!Requests.mayHaveBody(request)) {
                    call.queued();
                }
            });
        }
        watcher.arrive(call);
    }

    private int workerThreads() {
        return workerThreads;
    }

    // ---- for the watcher

    @Override
    public Duration grace() {
        return policy.settings().grace();
    }

    @Override
    public void workerThreads(int size) {
        workerThreads = size;
        listeners.poolKnown(workers);
    }

    @Override
    public @Nullable KernelTable kernel() {
        return table;
    }

    @Override
    public @Nullable Probes keepAlive() {
        return probes;
    }

    @Override
    public void contradicted(String watch) {
        listeners.watchContradicted(watch);
    }
}
