package dev.hangup.jdbc;

import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.Pool;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One wrapped pool: which of its connections calls hold now, and what all borrows share. Unowned numbers come from looking
 * at the live borrows; the set is a concurrent one, whose iteration takes no lock.
 */
final class ConnectionPool implements Pool {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    /** Held weakly: an application's pools go with it. */
    private static final Set<ConnectionPool> ALL =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    private final String name;
    private final PoolAdapter adapter;
    private final JdbcOptions options;
    private final EvictionBudget budget = new EvictionBudget();
    private final CancelLane lane = new CancelLane();
    private final Set<Borrow> live = ConcurrentHashMap.newKeySet();
    private final AtomicLong unownedNanos = new AtomicLong();
    private final AtomicBoolean complained = new AtomicBoolean();
    private final Set<CallRuntime> knownTo =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));
    /** The engine that was told last: one per application, so nearly always the same. */
    private volatile @Nullable CallRuntime lastTold;
    /** Whether it was said that this driver has no limits that we could use; at worst it is said twice. */
    private volatile boolean unlimited;
    /** Written by whoever borrows first. */
    private volatile @Nullable StatementCanceller canceller;

    ConnectionPool(String name, PoolAdapter adapter, JdbcOptions options) {
        this.name = "jdbc:" + name;
        this.adapter = adapter;
        this.options = options;
        ALL.add(this);
    }

    static List<String> names() {
        synchronized (ALL) {
            return ALL.stream().map(ConnectionPool::name).distinct().sorted().toList();
        }
    }

    /** A connection for a call; closed again, with an exception, if the call is cancelled by now. On a worker. */
    Connection lend(CallScope call, Connection driver) throws SQLException {
        Borrow borrow;
        try {
            introduceTo(call.runtime());
            StatementCanceller canceller = canceller(driver);
            if (call.treatment().cancels()) {
                canceller.lent(driver);
            }
            borrow = new Borrow(call, driver, this, canceller);
        } catch (SQLException | RuntimeException e) {
            driver.close();
            throw e;
        }
        Access access = new Access(borrow);
        live.add(borrow);
        call.add(borrow);
        // Added, then looked: a cancel that came before saw nothing of this borrow.
        if (borrow.isCancelled()) {
            access.close();
            throw access.refused("no new connection");
        }
        return new GuardedConnection(access);
    }

    private StatementCanceller canceller(Connection driver) throws SQLException {
        StatementCanceller known = canceller;
        if (known == null) {
            known = find(driver);
        }
        return known;
    }

    private synchronized StatementCanceller find(Connection driver) throws SQLException {
        StatementCanceller known = canceller; // somebody else may have found it meanwhile
        if (known != null) {
            return known;
        }
        Distributed.refuse(driver, name);
        known = options.canceller();
        if (known != null) {
            canceller = known;
            return known;
        }
        Pgjdbc pgjdbc = Pgjdbc.of(driver);
        StatementCanceller found = pgjdbc == null
                ? DriverCanceller.of(driver)
                : new PostgresCanceller(pgjdbc, options.controlConnection() ? adapter.direct() : null);
        canceller = found;
        return found;
    }

    /** Null unless it is asked for, and the driver has a way that leaves nothing behind. */
    @Nullable
    Limit limit(Borrow borrow) {
        if (!options.databaseDeadline()) {
            return null;
        }
        if (borrow.canceller instanceof PostgresCanceller postgres) {
            return postgres.limit(borrow);
        }
        if (borrow.canceller.timeoutsEndWithStatement()) {
            return new QueryTimeout(borrow);
        }
        if (!unlimited) {
            unlimited = true;
            LOG.log(
                    Level.WARNING,
                    name + ": the deadline is not told to the database, because a timeout of this driver's may outlive"
                            + " its statement");
        }
        return null;
    }

    private void introduceTo(CallRuntime runtime) {
        if (lastTold != runtime) {
            if (knownTo.add(runtime)) {
                runtime.listener().poolKnown(this);
                runtime.atClose(this::letGo);
            }
            lastTold = runtime;
        }
    }

    private void letGo() {
        lane.letGo();
        StatementCanceller known = canceller;
        if (known != null) {
            known.letGo();
        }
    }

    CancelLane lane() {
        return lane;
    }

    /** Whether an eviction more stays within what the pool can bear. */
    boolean mayEvict() {
        return budget.take(adapter.size());
    }

    boolean resets() {
        return adapter.resets();
    }

    void evict(Connection driver) throws SQLException {
        adapter.evict(driver);
    }

    void breakOff(Connection driver) throws SQLException {
        adapter.breakOff(driver);
    }

    /** A driver's cancel threw this, or took so long (null) that it may not have arrived. On the lane; an operator hears of it once. */
    void cancelFailed(@Nullable Exception error) {
        Level level = complained.compareAndSet(false, true) ? Level.WARNING : Level.DEBUG;
        LOG.log(
                level,
                name + ": the driver " + (error == null ? "was slow" : "failed")
                        + " to cancel a statement; the statement's connection is evicted",
                error);
    }

    /** The borrow is over, or no longer its call's. Any thread, any number of times. */
    void release(Borrow borrow) {
        unownedNanos.addAndGet(borrow.span().close());
        live.remove(borrow);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int size() {
        return adapter.size();
    }

    @Override
    public int unowned() {
        int count = 0;
        for (Borrow borrow : live) {
            if (borrow.span().isUnowned()) {
                count++;
            }
        }
        return count;
    }

    @Override
    public long unownedNanos() {
        for (Borrow borrow : live) {
            unownedNanos.addAndGet(borrow.span().take());
        }
        return unownedNanos.get();
    }
}
