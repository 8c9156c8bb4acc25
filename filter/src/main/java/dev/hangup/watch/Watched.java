package dev.hangup.watch;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch.UnwatchableException;
import dev.hangup.watch.CallerWatch.Verdict;
import dev.hangup.watch.KernelTable.State;
import java.io.IOException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call that has outlived its grace: its channel registered with the watcher's selector, its deadline among the timers. All on
 * the watcher thread.
 *
 * <p>The container's channel is looked at only inside {@link CallScope#tryLook}: the response cannot end meanwhile, and once it
 * has ended nothing here touches the channel but to cancel our own key.
 */
final class Watched {
    private static final Duration AMBIGUOUS_AGAIN = Duration.ofMillis(50);
    private static final Duration HALF_CLOSED_AGAIN = Duration.ofMillis(250);

    private final Watcher watcher;
    private final CallScope call;
    private final Interest interest;
    private final Grip grip;
    /** From the first look that found it until the response is over. */
    private Sources.@Nullable Found found;
    /** The container's internals are there, but do not answer as they used to: the kernel's table is all that is left. */
    private boolean blind;

    private @Nullable Inquiry inquiry;
    private final Term term;
    /** The caller has closed its side, which the policy tolerates: only a reset counts from now on. */
    private boolean halfClosed;

    Watched(Watcher watcher, CallScope call) {
        this.watcher = watcher;
        this.call = call;
        this.term = new Term(watcher, call);
        this.interest = new Interest(watcher, this::ready);
        // Cancelling the key wakes the selector, which must run before a closed channel's descriptor is freed.
        this.grip = new Grip(
                () -> watcher.command(this::withdraw),
                () -> watcher.command(term::begin),
                () -> watcher.command(this::close));
    }

    void open() {
        term.begin();
        find();
    }

    private void find() {
        if (call.tryLook(this::find)) {
            listen();
            return;
        }
        if (call.isResponseOver()) {
            close();
        } else { // a canceller is looking just now
            watcher.timers().at(System.nanoTime() + Watcher.SECOND_LOOK.toNanos(), this::find);
        }
    }

    private void find(Object request) {
        call.connection(grip);
        term.begin(); // made known, then read: who moves the deadline writes it, then tells the connection it finds
        grip.line(watcher.sources().wire(request));
        try {
            begin(watcher.sources().find(request));
        } catch (UnwatchableException e) {
            if (watcher.sources().isOver(request)) {
                watcher.command(call::responseOver); // outside the peer lock; nobody else will say so
            } else {
                watcher.reports().unwatched(call, e.unwatched(), String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * Outside the peer lock: a container takes a lock of its own to keep the listener, and may hold that lock while it tells of the
     * response's end to whoever waits for the peer lock.
     */
    private void listen() {
        Sources.Found way = found;
        if (way != null) {
            way.watch().begin(() -> watcher.command(this::ready));
        }
    }

    private void begin(Sources.Found way) {
        found = way;
        CallerWatch watch = way.watch();
        NetworkChannel socket = watch.socket();
        Probes probes = watcher.keepAlive();
        if (probes != null && socket != null && call.treatment().cancels()) {
            grip.probe(probes, socket);
        }
        SocketChannel channel = watch.channel();
        if (channel != null) {
            try {
                interest.register(channel, this);
            } catch (IOException e) {
                watcher.reports().unwatched(call, Unwatched.INTERNALS_CHANGED, "registering failed: " + e);
            }
        } else if (way.unlisted() != null) {
            ask(way);
        } else {
            grip.lost(() ->
                    watcher.believes(way.source()) && watch.look() == Verdict.STREAM_RESET && !way.hasAnswered(call));
            watcher.command(this::ready);
        }
    }

    void check() {
        NetworkChannel socket = found == null ? null : found.watch().socket();
        if (socket != null) {
            term.endIfTakenBack(socket);
        }
    }

    CallScope call() {
        return call;
    }

    /** The selector found the channel readable, or it is time for a look. */
    void ready() {
        conclude(this::look, way -> again(way, Watcher.SECOND_LOOK));
    }

    /**
     * @param look inside the peer lock; null while it cannot be said that the caller has gone
     * @param busy what to do if somebody else is looking just now
     */
    private void conclude(Function<Sources.Found, @Nullable Departure> look, Consumer<Sources.Found> busy) {
        Sources.Found way = found;
        if (way == null) {
            return; // a signal after the end
        }
        Departure[] seen = new Departure[1];
        if (!call.tryLook(request -> seen[0] = grip.isAborted() ? null : unanswered(way, look.apply(way)))) {
            busy.accept(way); // if the call is over: our key goes with the command that over() has queued
            return;
        }
        Departure gone = seen[0];
        if (gone != null) {
            withdraw();
            call.callerGone(gone.cause(), gone.certain() || watcher.believes(way.source()));
        }
    }

    private @Nullable Departure unanswered(Sources.Found way, @Nullable Departure gone) {
        if (gone != null && way.hasAnswered(call)) {
            withdraw(); // and the end of the call will be told
            return null;
        }
        return gone;
    }

    private @Nullable Departure look(Sources.Found way) {
        CallerWatch watch = way.watch();
        Verdict verdict = halfClosed ? Verdict.GONE : verdict(way);
        SocketChannel channel = watch.channel();
        // Certain, whatever waits in front of it, and whoever reads.
        if (channel != null && watcher.probe().isReset(channel)) {
            return seen(way, CancelReason.CALLER_RESET);
        }
        switch (verdict) {
            case STREAM_RESET -> {
                return new Departure(CancelReason.STREAM_RESET, false);
            }
            case GONE -> {
                if (!halfClosed && channel != null && !watcher.probe().isAtEnd(channel)) {
                    // Somebody has read it empty since the select; or TCP's urgent byte stands in front of what is to
                    // come.
                    again(way, AMBIGUOUS_AGAIN);
                    ask(way);
                    return null;
                }
                if (call.treatment().halfCloseIsGone()) {
                    return seen(way, CancelReason.CALLER_CLOSED);
                }
                halfClosed = true;
                again(way, HALF_CLOSED_AGAIN);
            }
            case PRESENT -> interest.after(watch.pause());
            case AGAIN -> again(way, Watcher.SECOND_LOOK);
            case AMBIGUOUS -> {
                again(way, AMBIGUOUS_AGAIN);
                ask(way);
            }
        }
        return null;
    }

    private Departure seen(Sources.Found way, CancelReason cause) {
        watcher.witness().check(way.source(), way.watch());
        return new Departure(cause, false);
    }

    private Verdict verdict(Sources.Found way) {
        if (blind) {
            return Verdict.AMBIGUOUS;
        }
        try {
            return way.watch().look();
        } catch (RuntimeException | LinkageError e) {
            blind = true;
            watcher.reports().degraded(way.source() + ": " + e);
            return Verdict.AMBIGUOUS;
        }
    }

    // ---- what the kernel's table says

    /** Inside the peer lock. */
    private void ask(Sources.Found way) {
        Scans scans = watcher.scans();
        Route route = inquiry == null && scans != null ? way.watch().route() : null;
        if (scans != null && route != null) {
            inquiry = new Inquiry(scans, route, way.watch().socket() != null, this::answered);
        }
        if (inquiry != null) {
            inquiry.ask();
        } else {
            unlisted(way);
        }
    }

    private void answered(@Nullable State state) {
        conclude(way -> judge(way, state), way -> watcher.timers()
                .at(System.nanoTime() + Watcher.SECOND_LOOK.toNanos(), () -> answered(state)));
    }

    private @Nullable Departure judge(Sources.Found way, @Nullable State state) {
        Inquiry mine = inquiry;
        if (mine == null) {
            return null;
        }
        NetworkChannel socket = way.watch().socket();
        switch (mine.judge(state, socket == null || socket.isOpen())) {
            case CLOSED -> {
                if (call.treatment().halfCloseIsGone()) {
                    return new Departure(CancelReason.CALLER_CLOSED, true);
                }
                halfClosed = true;
            }
            case RESET -> {
                return new Departure(CancelReason.CALLER_RESET, true);
            }
            case UNLISTED -> {
                unlisted(way);
                return null;
            }
            case PRESENT, AGAIN -> {}
        }
        if (way.watch().channel() == null) {
            mine.ask(); // a standing question: the table is the only one who can tell
        }
        return null;
    }

    /** The table does not help: no matter where the watch sees by itself. */
    private void unlisted(Sources.Found way) {
        Unwatched cause = blind ? Unwatched.INTERNALS_CHANGED : way.unlisted();
        if (cause != null) {
            withdraw();
            found = null;
            watcher.reports().unwatched(call, cause, way.unlistedMessage());
        }
    }

    // ---- timers, and the end

    private void again(Sources.Found way, Duration pause) {
        interest.again(way.watch().channel() != null, pause);
    }

    /** The verdict is final: no further look, but the deadline may still have to end the work. */
    private void withdraw() {
        interest.cancel();
        if (inquiry != null) {
            inquiry.withdraw();
        }
    }

    private void close() {
        watcher.closed(this);
        withdraw();
        term.cancel();
        found = null;
    }
}
