package dev.hangup.it;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network of its own on this machine, with one cable to ours, that can be pulled. Needs root and iproute2; where it cannot be
 * made the test is skipped with what {@code ip} says.
 */
final class Namespace implements AutoCloseable {

    /** RFC 2544: for tests, and on no real network. */
    private static final String NET = "198.18.77.";

    private final String ip = Program.IP.path();
    private final String name = "hangup" + ProcessHandle.current().pid();
    /** At most 15 characters each. */
    private final String ours = "hgo" + ProcessHandle.current().pid();

    private final String theirs = "hgt" + ProcessHandle.current().pid();
    private final List<Process> processes = new ArrayList<>();

    private Namespace() {}

    static Namespace create() throws IOException, InterruptedException {
        Namespace namespace = new Namespace();
        try {
            namespace.set("netns", "add", namespace.name);
            namespace.set("link", "add", namespace.ours, "type", "veth", "peer", "name", namespace.theirs);
            namespace.set("link", "set", namespace.theirs, "netns", namespace.name);
            namespace.set("addr", "add", namespace.address() + "/24", "dev", namespace.ours);
            namespace.set("link", "set", namespace.ours, "up");
            namespace.set("-n", namespace.name, "addr", "add", NET + "2/24", "dev", namespace.theirs);
            namespace.set("-n", namespace.name, "link", "set", namespace.theirs, "up");
            return namespace;
        } catch (IllegalStateException e) {
            namespace.close();
            return abort("no network namespace can be made here: " + e.getMessage());
        }
    }

    /** Ours, as those in there see us. */
    String address() {
        return NET + "1";
    }

    /** Starts a program in there; it is ended with the namespace. */
    void run(String... command) throws IOException {
        List<String> whole = new ArrayList<>(List.of(ip, "netns", "exec", name));
        whole.addAll(Arrays.asList(command));
        processes.add(new ProcessBuilder(whole)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** From now on no byte gets through, and nobody is told. */
    void pullTheCable() throws IOException, InterruptedException {
        set("-n", name, "link", "set", theirs, "down");
    }

    private void set(String... arguments) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(List.of(ip));
        whole.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException(String.join(" ", whole) + ": " + said.strip());
        }
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Process::destroyForcibly);
        try {
            for (Process process : processes) {
                process.waitFor(10, TimeUnit.SECONDS);
            }
            remove("netns", "del", name);
            remove("link", "del", ours);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void remove(String... removal) throws IOException, InterruptedException {
        try {
            set(removal);
        } catch (IllegalStateException e) {
            return; // it was not made, or went with the other end
        }
    }
}
