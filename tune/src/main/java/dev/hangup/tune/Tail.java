package dev.hangup.tune;

/**
 * What became of the calls that took longer than the value in force and, if that is less, than the recommended one; where none is in
 * force, longer than the floor.
 *
 * @param errors those that failed in the end: a longer wait rescues none of them
 * @param slow those that succeeded in the end: worth waiting for
 * @param departures all whose caller left or that were killed: how long they would have taken is not known
 */
public record Tail(long errors, long slow, long departures) {}
