package dev.hangup.metrics;

import static dev.hangup.metrics.Meters.SECONDS;
import static dev.hangup.metrics.Meters.seconds;

import dev.hangup.call.ConnectionEvent;
import dev.hangup.call.Pool;
import dev.hangup.call.TransactionOutcome;
import io.micrometer.core.instrument.Tags;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * The meters of the pools of one name; pools that share a name (two engines, two containers) are added up. What a pool throws
 * is logged and read as 0, or as what it last said where that must not fall: a sick pool must not take the scrape with it.
 */
final class PoolMeters {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final Meters meters;
    private final Tags tags;
    private final PerConstant<TransactionOutcome, LongAdder> transactions;
    private final PerConstant<ConnectionEvent, LongAdder> connections;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    /** Guarded by the monitor. */
    private boolean sized;

    PoolMeters(String name, Meters meters) {
        this.meters = meters;
        this.tags = Tags.of("pool", name);
        transactions = new PerConstant<>(
                TransactionOutcome.class,
                label -> meters.counter(
                        "hangup.transactions", tags.and("outcome", label), "Transactions of calls, by how they ended"));
        connections = new PerConstant<>(
                ConnectionEvent.class,
                label -> meters.counter(
                        "hangup.connections",
                        tags.and("event", label),
                        "What was done to connections of cancelled calls"));
        meters.gauge("hangup.pool.unowned", null, tags, "Parts held by unowned work", this, PoolMeters::unowned);
        // With its unit in the name, or it would have the gauge's name, which Micrometer refuses.
        meters.counter(
                "hangup.pool.unowned.seconds",
                SECONDS,
                tags,
                "Seconds for which parts were held by unowned work, summed over the parts",
                this,
                PoolMeters::unownedSeconds);
    }

    void ended(TransactionOutcome outcome) {
        transactions.of(outcome).increment();
    }

    void happened(ConnectionEvent event) {
        connections.of(event).increment();
    }

    /** Adding the same pool again looks at its size again. */
    synchronized void add(Pool pool) {
        Member member = new Member(pool);
        if (members.stream().noneMatch(known -> known.pool == pool)) {
            members.add(member);
        }
        if (!sized && member.size() > 0) {
            sized = true;
            meters.gauge("hangup.pool.size", null, tags, "How many parts there are", this, PoolMeters::size);
            meters.gauge(
                    "hangup.pool.share", null, tags, "Part of the pool held by unowned work", this, PoolMeters::share);
        }
    }

    private long size() {
        return members.stream().mapToLong(Member::size).sum();
    }

    private long unowned() {
        return members.stream().mapToLong(Member::unowned).sum();
    }

    private double share() {
        long size = size();
        long held = members.stream()
                .filter(member -> member.size() > 0)
                .mapToLong(Member::unowned)
                .sum();
        return size == 0 ? 0 : Math.min(1, (double) held / size);
    }

    private double unownedSeconds() {
        return seconds(members.stream().mapToLong(Member::unownedNanos).sum());
    }

    private static final class Member {
        private final Pool pool;
        /** The most it ever said. */
        private final AtomicLong nanos = new AtomicLong();

        Member(Pool pool) {
            this.pool = pool;
        }

        /** 0 where there is no bound. */
        long size() {
            return read(Pool::size);
        }

        long unowned() {
            return read(Pool::unowned);
        }

        long unownedNanos() {
            return nanos.accumulateAndGet(read(Pool::unownedNanos), Math::max);
        }

        private long read(ToLongFunction<Pool> number) {
            try {
                return Math.max(0, number.applyAsLong(pool));
            } catch (RuntimeException e) {
                LOG.log(Level.DEBUG, () -> "pool " + pool.name() + " cannot say how it is", e);
                return 0;
            }
        }
    }
}
