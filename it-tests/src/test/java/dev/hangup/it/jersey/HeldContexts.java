package dev.hangup.it.jersey;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** The asynchronous contexts that the heap holds after a collection, the containers' and ours. */
final class HeldContexts {

    private HeldContexts() {}

    static long count() throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        return histogram
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length >= 4
                        && columns[3].matches(".*\\.(AsyncContextImpl|AsyncContextState|GuardedAsyncContext)"))
                .mapToLong(columns -> Long.parseLong(columns[1]))
                .sum();
    }
}
