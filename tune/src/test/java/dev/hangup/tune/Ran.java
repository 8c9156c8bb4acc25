package dev.hangup.tune;

import java.io.PrintWriter;
import java.io.StringWriter;

/** One run of the program, in this process. */
record Ran(int code, String out, String err) {

    static Ran of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Tune.run(new PrintWriter(out), new PrintWriter(err), args);
        return new Ran(code, out.toString(), err.toString());
    }
}
