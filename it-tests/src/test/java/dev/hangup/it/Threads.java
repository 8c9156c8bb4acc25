package dev.hangup.it;

import java.util.List;

/** The threads of this JVM. */
final class Threads {

    private Threads() {}

    /** The names of those that an engine has started. */
    static List<String> ofHangup() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("hangup-"))
                .toList();
    }
}
