package dev.hangup.tune;

import dev.hangup.tune.log.LogLine;

/** Says what a call belongs to. Not for several threads. */
interface Router {

    /** Always the same instance for the same name; {@link Route#NONE} if the line says nothing that is known. */
    Route route(LogLine line);
}
