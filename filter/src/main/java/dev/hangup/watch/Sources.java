package dev.hangup.watch;

import dev.hangup.call.CallScope;
import dev.hangup.call.Connection;
import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch.UnwatchableException;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The ways from a request to its connection, asked in their order. On the watcher thread. */
final class Sources {
    private final List<CallerWatch.Source> sources;
    private final Reports reports;
    private final IntConsumer workerThreads;
    private boolean workersKnown;

    /** @param workerThreads told once */
    Sources(List<CallerWatch.Source> sources, Reports reports, IntConsumer workerThreads) {
        this.sources = List.copyOf(sources);
        this.reports = reports;
        this.workerThreads = workerThreads;
    }

    /** The way to break off this request's connection. */
    @Nullable
    Connection wire(Object request) {
        for (CallerWatch.Source source : sources) {
            Connection wire = source.wire(request);
            if (wire != null) {
                return wire;
            }
        }
        return null;
    }

    boolean isOver(Object request) {
        return sources.stream().anyMatch(source -> source.isOver(request));
    }

    /**
     * The watch on this request's caller. Where a container's internals have changed, the next source is asked: the last one, the
     * kernel's table, needs nothing of the container's.
     */
    Found find(Object request) throws UnwatchableException {
        UnwatchableException failure = null;
        for (CallerWatch.Source source : sources) {
            try {
                CallerWatch watch = source.open(request);
                if (watch != null) {
                    workers(source, request);
                    return found(source, watch, request, failure);
                }
            } catch (UnwatchableException e) {
                if (failure == null && e.unwatched() != Unwatched.INTERNALS_CHANGED) {
                    throw e;
                }
                failure = failure == null ? e : failure; // the first is the container's own
            } catch (RuntimeException | LinkageError e) {
                failure = new UnwatchableException(Unwatched.INTERNALS_CHANGED, source.name() + ": " + e, e);
            }
        }
        throw failure == null
                ? new UnwatchableException(
                        Unwatched.UNKNOWN_CONTAINER, request.getClass().getName())
                : failure;
    }

    private Found found(
            CallerWatch.Source source, CallerWatch watch, Object request, @Nullable UnwatchableException failure) {
        String what = request.getClass().getName() + ", whose connection the table of sockets does not list";
        if (failure == null) {
            return new Found(source.name(), watch, watch.unlisted(), what);
        }
        reports.degraded(String.valueOf(failure.getMessage()));
        return new Found(source.name(), watch, Unwatched.INTERNALS_CHANGED, what);
    }

    private void workers(CallerWatch.Source source, Object request) {
        if (!workersKnown) {
            workersKnown = true;
            source.workerThreads(request).ifPresent(workerThreads);
        }
    }

    /**
     * A watch that was found.
     *
     * @param source its name
     * @param unlisted as {@link CallerWatch#unlisted}
     * @param unlistedMessage what to say then
     */
    record Found(String source, CallerWatch watch, @Nullable Unwatched unlisted, String unlistedMessage) {

        /** Whether nobody who leaves now is gone: of a call that may be cancelled its own response knows, and that to the byte. */
        boolean hasAnswered(CallScope call) {
            return !call.treatment().cancels() && watch.isAnswered();
        }
    }
}
