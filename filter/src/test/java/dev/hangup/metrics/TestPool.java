package dev.hangup.metrics;

import dev.hangup.call.Pool;

/** A pool that says what the test wants. */
final class TestPool implements Pool {
    private final String name;
    volatile int size;
    volatile int unowned;
    volatile long unownedNanos;
    volatile boolean sick;

    TestPool(String name, int size) {
        this.name = name;
        this.size = size;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int size() {
        return say(size);
    }

    @Override
    public int unowned() {
        return say(unowned);
    }

    @Override
    public long unownedNanos() {
        return say(unownedNanos);
    }

    private <T> T say(T number) {
        if (sick) {
            throw new IllegalStateException("closed");
        }
        return number;
    }
}
