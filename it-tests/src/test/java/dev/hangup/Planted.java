package dev.hangup;

import dev.hangup.watch.CallerWatch;

/** The way to an engine with a watch of the test's own, which no application can have. */
public final class Planted {

    private Planted() {}

    /** Asked before the containers' own watches. */
    public static Hangup watch(Hangup.Builder builder, CallerWatch.Source source) {
        return builder.watch(source).build();
    }
}
