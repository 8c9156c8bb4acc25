package dev.hangup;

import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyException;
import dev.hangup.policy.PolicyFile;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks at the policy's file every second, on a thread of its own, because a file may be far away. A text is used once two looks
 * in a row have read the same, so that one that is still being written is not; and once only, whether it was accepted or
 * refused. The bytes are compared, not the time of change, which does not tell of every way in which a file is swapped.
 */
final class PolicyReload implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.hangup");
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Consumer<Policy> accept;
    private final Consumer<PolicyException> refuse;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "hangup-policy");

    // These two belong to the thread.
    private PolicyFile settled;
    private PolicyFile seen;

    /**
     * @param first what is in force
     * @param accept given each new policy, on the thread
     * @param refuse told what is wrong with a text, on the thread
     */
    PolicyReload(PolicyFile first, Consumer<Policy> accept, Consumer<PolicyException> refuse) {
        this.settled = first;
        this.seen = first;
        this.accept = accept;
        this.refuse = refuse;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!closed.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    look();
                } catch (RuntimeException | Error e) {
                    LOG.log(Level.WARNING, "the policy file could not be looked at", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever wants this thread to end
        }
    }

    private void look() {
        PolicyFile now = seen.reread();
        if (now.hasSameText(seen) && !now.hasSameText(settled)) {
            settled = now;
            try {
                Policy next = now.policyGently();
                // Race: a close, which does not wait for the end of a long text. One that comes just now changes a
                // policy that
                // nobody asks any more.
                if (closed.getCount() > 0) {
                    accept.accept(next);
                }
            } catch (PolicyException e) {
                refuse.accept(e);
            }
        }
        seen = now;
    }

    /** Returns when no look is under way any more, or after a second. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
