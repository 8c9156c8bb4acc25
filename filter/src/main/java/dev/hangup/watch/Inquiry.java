package dev.hangup.watch;

import dev.hangup.watch.KernelTable.State;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one call asks the kernel's table, and what the answers mean. On the watcher thread.
 *
 * <p>A FIN counts at once, whatever the caller has sent before it and nobody has read yet. That is a judgement: behind a whole
 * body or a pipelined request it is a half-close, for which the policy has a word; behind a part of a body it is an upload cut in
 * the middle. The table cannot tell them apart, so a tolerant policy leaves the cut upload to whoever reads it, who fails. An
 * upload that is merely slow has sent no FIN, and is never gone.
 *
 * <p>A row that is missing counts only when it was missed twice while the channel was open: one reading may overlook it.
 */
final class Inquiry implements Scans.Question {
    private final Scans scans;
    private final Route route;
    private final boolean certain;
    private final Consumer<@Nullable State> answer;
    private boolean asked;
    private boolean listed;
    private boolean missed;

    /** What an answer means. */
    enum Finding {
        PRESENT,
        CLOSED,
        RESET,
        /** It may be reset: ask again. */
        AGAIN,
        /** These addresses are not this table's: it knows nothing of this caller. */
        UNLISTED
    }

    /**
     * @param certain whether the addresses are the channel's own. Those that a request gives may have been rewritten: they are
     *     the connection's only if the table lists them.
     */
    Inquiry(Scans scans, Route route, boolean certain, Consumer<@Nullable State> answer) {
        this.scans = scans;
        this.route = route;
        this.certain = certain;
        this.answer = answer;
    }

    void ask() {
        if (!asked) {
            asked = true;
            scans.ask(this);
        }
    }

    void withdraw() {
        scans.withdraw(this);
    }

    @Override
    public Route route() {
        return route;
    }

    @Override
    public void answered(@Nullable State state) {
        asked = false;
        answer.accept(state);
    }

    /** @param open whether our side still has the connection: one that the container has closed is no departure */
    Finding judge(@Nullable State state, boolean open) {
        if (state == null) {
            return listed ? Finding.PRESENT : Finding.UNLISTED;
        }
        return switch (state) {
            case ESTABLISHED, CLOSING -> present(Finding.PRESENT);
            case CALLER_CLOSED -> present(Finding.CLOSED);
            case MISSING -> absent(certain || listed, open);
            case UNKNOWN -> absent(listed, open);
        };
    }

    private Finding present(Finding finding) {
        listed = true;
        missed = false;
        return finding;
    }

    private Finding absent(boolean meansSomething, boolean open) {
        if (!meansSomething) {
            return Finding.UNLISTED;
        }
        if (!open) {
            return Finding.PRESENT;
        }
        boolean twice = missed;
        missed = true;
        return twice ? Finding.RESET : Finding.AGAIN;
    }
}
