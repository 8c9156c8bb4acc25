package dev.hangup.policy;

import java.time.DayOfWeek;

/**
 * A recurring stretch of local time, such as the minutes 0 to 7 of each hour from Monday to Friday:
 * {@code Window.EVER.minutes(0, 7).days(DayOfWeek.MONDAY, DayOfWeek.FRIDAY)}. It is in force in a minute whose minute, hour and day
 * are all among those named; what is not named is not asked. Both ends of a range belong to it, and a range may pass the end of
 * its hour, day or week: hours 22 to 5 are eight. Each is asked by itself, so that hours 22 to 5 on Friday are the first six and the
 * last two hours of Friday. An hour that a change of the clocks repeats is in it twice, one that it skips is not. Immutable.
 */
public final class Window {

    /** All time; a policy refuses it until something is named. */
    public static final Window EVER = new Window(0, 0, 0);

    static final int MINUTES = 60;
    static final int HOURS = 24;
    static final int DAYS = 7;

    /** One bit for each minute, hour and day named, days from Monday; 0: all. */
    private final long minutes;

    private final long hours;
    private final long days;

    private Window(long minutes, long hours, long days) {
        this.minutes = minutes;
        this.hours = hours;
        this.days = days;
    }

    /**
     * This window with minutes of the hour, together with those it had.
     *
     * @throws IllegalArgumentException if one of them is not from 0 to 59
     */
    public Window minutes(int first, int last) {
        return minutes(new Range(first, last));
    }

    /**
     * This window with hours of the day, together with those it had.
     *
     * @throws IllegalArgumentException if one of them is not from 0 to 23
     */
    public Window hours(int first, int last) {
        return hours(new Range(first, last));
    }

    /** This window with days of the week, together with those it had. */
    public Window days(DayOfWeek first, DayOfWeek last) {
        return days(new Range(first.getValue() - 1, last.getValue() - 1));
    }

    Window minutes(Range range) {
        return new Window(minutes | range.bits(MINUTES), hours, days);
    }

    Window hours(Range range) {
        return new Window(minutes, hours | range.bits(HOURS), days);
    }

    Window days(Range range) {
        return new Window(minutes, hours, days | range.bits(DAYS));
    }

    boolean isEver() {
        return minutes == 0 && hours == 0 && days == 0;
    }

    /** @param day from 0, a Monday */
    boolean holds(int minute, int hour, int day) {
        return has(minutes, minute) && has(hours, hour) && has(days, day);
    }

    private static boolean has(long bits, int number) {
        return bits == 0 || (bits >>> number & 1) != 0;
    }

    /** Two numbers of a circle, and all that come between the first and the last. */
    record Range(int first, int last) {

        long bits(int size) {
            if (first < 0 || first >= size || last < 0 || last >= size) {
                throw new IllegalArgumentException(first + "-" + last + " is not within 0-" + (size - 1));
            }
            long bits = 1L << last;
            for (int number = first; number != last; number = (number + 1) % size) {
                bits |= 1L << number;
            }
            return bits;
        }
    }
}
