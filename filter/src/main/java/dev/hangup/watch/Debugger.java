package dev.hangup.watch;

import java.lang.management.ManagementFactory;

/** Whether this JVM was started for a debugger. ASP.NET Core and Go's tests show the need: a deadline must not fire at a breakpoint. */
final class Debugger {
    private Debugger() {}

    static boolean attached() {
        try {
            return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .anyMatch(argument -> argument.startsWith("-agentlib:jdwp") || argument.startsWith("-Xrunjdwp"));
        } catch (LinkageError | SecurityException e) {
            return false; // a run-time image without java.management
        }
    }
}
