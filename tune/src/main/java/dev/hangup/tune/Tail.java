package dev.hangup.tune;

/**
 * What became of the calls that took longer than the value in force, or than the floor where none is known.
 *
 * @param errors those that failed in the end: a longer wait rescues none of them
 * @param slow those that succeeded in the end: worth waiting for
 * @param departures those whose caller left or that were killed: how long they would have taken is not known
 */
public record Tail(long errors, long slow, long departures) {}
