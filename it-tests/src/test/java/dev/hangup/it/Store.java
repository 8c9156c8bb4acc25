package dev.hangup.it;

import java.io.Closeable;

/** Files of the application that an interrupt closes under everybody's hands. Steps may be taken by several threads at once. */
interface Store extends Closeable {

    /** Reads and writes a little. */
    void step() throws Exception;

    /** Opens it anew, and looks whether all that the steps have written is there, and nothing else. */
    void check() throws Exception;
}
