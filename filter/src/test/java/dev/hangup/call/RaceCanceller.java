package dev.hangup.call;

import java.util.SplittableRandom;
import java.util.StringJoiner;

/** Tries once to cancel each call of a race, at a random moment of its life, and counts where its wins came. */
final class RaceCanceller {
    private final SplittableRandom random;
    private final long[] wins = new long[RaceRound.PHASES.length];

    RaceCanceller(SplittableRandom random) {
        this.random = random;
    }

    void cancel(RaceRound round) {
        for (int i = random.nextInt(1 << random.nextInt(8)); i > 0; i--) {
            Thread.onSpinWait();
        }
        int phase = round.phase;
        CallScope call = round.call;
        switch (random.nextInt(4)) {
            case 0 -> {
                call.callerGone(CancelReason.CALLER_RESET);
                // Nobody leaves once the response is over; work that goes on may be cancelled still.
                round.won = call.cancelReason().orElse(null) == CancelReason.CALLER_RESET
                        || call.cancel(CancelReason.SHUTDOWN);
            }
            case 1 -> round.won = call.cancel(CancelReason.SHUTDOWN);
            default -> round.won = call.cancel(CancelReason.CALLER_CLOSED);
        }
        if (round.won) {
            wins[phase]++;
            round.require(
                    !round.added || round.refused || call.isEnded(), "has a resource that goes on after its cancel");
            Runnable escalation = round.escalation;
            if (escalation != null && random.nextInt(4) == 0) {
                escalation.run();
            }
        }
    }

    long wins(int phase) {
        return wins[phase];
    }

    @Override
    public String toString() {
        StringJoiner joiner = new StringJoiner(", ", "cancels won while ", "");
        for (int phase = 0; phase < wins.length; phase++) {
            joiner.add(RaceRound.PHASES[phase] + " " + wins[phase]);
        }
        return joiner.toString();
    }
}
