package dev.hangup.tune;

/** Nothing can be recommended from what was read; the message says why. */
public final class NoRecommendation extends RuntimeException {

    /** @param reason the whole message, for a person */
    public NoRecommendation(String reason) {
        super(reason);
    }
}
