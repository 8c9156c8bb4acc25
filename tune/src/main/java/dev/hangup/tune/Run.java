package dev.hangup.tune;

/**
 * One run (a file, an hour, a day) with enough samples, and the part of its calls that would finish within the recommended value.
 *
 * @param name what it is called: the file, the hour, the day, the field's value
 */
public record Run(String name, long samples, double rate) {}
