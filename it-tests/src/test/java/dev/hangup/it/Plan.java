package dev.hangup.it;

import java.time.Duration;
import java.util.Random;

/**
 * What becomes of one request: known to the caller and the servlet, which run in the same JVM, and drawn from a seed.
 *
 * @param id its place in the list, and its query string
 * @param transaction whether the work is done between an insert and a commit
 * @param lasting how long the work lasts if nothing ends it
 * @param leaving after which time the caller leaves, if it does
 */
record Plan(
        int id, Ending ending, Work work, boolean observed, boolean transaction, Duration lasting, Duration leaving) {

    /** Longer than any deadline and any patience here. */
    private static final Duration FOR_EVER = Duration.ofSeconds(20);

    private static final int MOST_MILLIS = 120;

    enum Ending {
        OK(false, false),
        SEND_ERROR(false, false),
        EXCEPTION(false, false),
        CANCEL(false, false),
        DEADLINE(false, false),
        FIN(true, false),
        RST(true, false),
        DETACHED_FIN(true, false),
        ASYNC_OK(false, true),
        ASYNC_DISPATCH(false, true),
        ASYNC_TIMEOUT(false, true),
        ASYNC_DEADLINE(false, true),
        ASYNC_FIN(true, true),
        ASYNC_RST(true, true);

        private final boolean leaves;
        private final boolean async;

        Ending(boolean leaves, boolean async) {
            this.leaves = leaves;
            this.async = async;
        }

        boolean leaves() {
            return leaves;
        }

        boolean isAsync() {
            return async;
        }

        /** Whether its answer may have begun by then. */
        boolean maySend() {
            return leaves || passesItsDeadline() || this == OK || this == ASYNC_OK;
        }

        boolean passesItsDeadline() {
            return this == DEADLINE || this == ASYNC_DEADLINE;
        }
    }

    enum Work {
        SLEEP,
        LOOP,
        STATEMENT,
        /** Bytes are sent all the time. */
        STREAM
    }

    static Plan draw(int id, Random random) {
        Ending ending = Ending.values()[random.nextInt(Ending.values().length)];
        boolean maySend =
                ending == Ending.OK || ending == Ending.DEADLINE || ending == Ending.FIN || ending == Ending.RST;
        Work work = Work.values()[random.nextInt(maySend ? 4 : 3)];
        boolean observed = (ending == Ending.FIN || ending == Ending.RST) && random.nextInt(4) == 0;
        boolean hangs = ending.passesItsDeadline() || (ending.leaves() && !observed && ending != Ending.DETACHED_FIN);
        return new Plan(
                id,
                ending,
                work,
                observed,
                random.nextBoolean(),
                hangs ? FOR_EVER : Duration.ofMillis(random.nextInt(MOST_MILLIS)),
                Duration.ofMillis(random.nextInt(MOST_MILLIS)));
    }

    String path() {
        return (ending.passesItsDeadline() ? "/late/" : observed ? "/observed/" : "/work/") + ending + "?" + id;
    }
}
