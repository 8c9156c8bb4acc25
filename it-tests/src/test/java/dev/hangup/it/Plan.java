package dev.hangup.it;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

        boolean isCancelled() {
            return this == CANCEL || passesItsDeadline() || (leaves && this != DETACHED_FIN);
        }

        boolean passesItsDeadline() {
            return this == DEADLINE || this == ASYNC_DEADLINE;
        }
    }

    enum Work {
        SLEEP,
        LOOP,
        STATEMENT,
        /** Two tasks, on other threads. */
        CHILDREN,
        /** A body is read that comes piece by piece. */
        UPLOAD,
        /** Bytes are sent all the time. */
        STREAM,
        /** Events are sent all the time, and some more after that has failed. */
        EVENTS;

        boolean sends() {
            return this == STREAM || this == EVENTS;
        }
    }

    /** These plans, until so many of them are to be cancelled. */
    static List<Plan> draw(Random random, int cancels) {
        List<Plan> plans = new ArrayList<>();
        for (int cancelled = 0; cancelled < cancels; ) {
            Plan plan = draw(plans.size(), random);
            plans.add(plan);
            cancelled += plan.ending.isCancelled() && !plan.observed ? 1 : 0;
        }
        return plans;
    }

    private static Plan draw(int id, Random random) {
        Ending ending = Ending.values()[random.nextInt(Ending.values().length)];
        Work work;
        do {
            work = Work.values()[random.nextInt(Work.values().length)];
        } while ((work.sends() && !ending.maySend()) || (work == Work.UPLOAD && ending == Ending.ASYNC_TIMEOUT));
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
        return (ending.passesItsDeadline() ? "/late/" : observed ? "/observed/" : "/task/") + ending + "?" + id;
    }

    /** The body that is sent in pieces; the last is kept back by those who leave or wait in vain. */
    byte[] upload() {
        return token().repeat(2_000).getBytes(StandardCharsets.US_ASCII);
    }

    /** What all that is answered consists of, so that no byte of another's goes unseen. */
    String token() {
        return "<" + id + ">";
    }
}
