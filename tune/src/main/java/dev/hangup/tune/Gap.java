package dev.hangup.tune;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The arithmetic of a timeout pair. */
@Command(name = "gap", description = "What a server's deadline and its callers' timeout cost together.")
final class Gap implements Callable<Integer> {

    @Override
    public Integer call() {
        return Tune.DONE;
    }
}
