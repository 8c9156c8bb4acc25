package dev.hangup.demo;

/**
 * What came of a phase.
 *
 * @param window what was measured
 * @param steady the ledger's figures over the window
 * @param steadyReading what Hangup's metrics rose by in the window
 * @param whole the ledger's figures from the first request to the end of the last work
 * @param wholeReading what Hangup's metrics rose by meanwhile
 */
record Result(Phase phase, Window window, Figures steady, Reading steadyReading, Figures whole, Reading wholeReading) {}
