package dev.hangup.tune;

/**
 * What part of the calls has to finish.
 *
 * @param normal outside named windows
 * @param named in them
 * @param fanOut calls of one fetch, all of which have to finish; 1: each call is one
 * @param minSamples the least number that says anything
 */
record Targets(double normal, double named, int fanOut, int minSamples) {

    double ofFetch(String window) {
        return window.equals("normal") ? normal : named;
    }

    /** What each call has to reach so that a fetch does. */
    double ofCall(String window) {
        return Math.pow(ofFetch(window), 1.0 / fanOut);
    }
}
