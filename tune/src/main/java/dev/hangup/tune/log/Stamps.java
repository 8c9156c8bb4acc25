package dev.hangup.tune.log;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Reads time stamps, as milliseconds since the epoch. A day and an offset are worked out once and kept for the lines that follow.
 * Not for several threads.
 */
final class Stamps {

    static final long NONE = Long.MIN_VALUE;
    /** As in {@code 30/Nov/2026:10:00:05 +0000}. */
    static final int COMMON_LENGTH = 26;

    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final long DAY = 86_400_000;

    private long keptFirst;
    private long keptSecond;
    private long keptLast;
    private byte keptMinute;
    private long keptStamp = NONE;
    private int keptKey = -1;
    private long keptDay;

    /** {@code 30/Nov/2026:10:00:05 +0000}, in a log's own order. */
    long common(byte[] b, int at) {
        // A busy server's lines share their second: all 26 bytes are those of the line before.
        long first = Bytes.eight(b, at);
        long second = Bytes.eight(b, at + 8);
        long last = Bytes.eight(b, at + COMMON_LENGTH - 8);
        if (first == keptFirst
                && second == keptSecond
                && last == keptLast
                && b[at + 16] == keptMinute
                && b[at + 17] == ':') {
            return keptStamp;
        }
        long stamp = read(b, at);
        if (stamp != NONE) {
            keptFirst = first;
            keptSecond = second;
            keptLast = last;
            keptMinute = b[at + 16];
            keptStamp = stamp;
        }
        return stamp;
    }

    private long read(byte[] b, int at) {
        if (b[at + 2] != '/' || b[at + 6] != '/' || b[at + 11] != ':' || b[at + 20] != ' ') {
            return NONE;
        }
        int month = month(b, at + 3);
        long day = day(digits(b, at + 7, 4), month, digits(b, at, 2));
        long clock = clock(b, at + 12);
        long offset = offset(b, at + 21, at + 26);
        return day == NONE || clock < 0 || offset == NONE ? NONE : day * DAY + clock - offset;
    }

    /** {@code 2026-11-30T10:00:05.123Z}, with a fraction and an offset or without; without an offset it is UTC. */
    long iso(byte[] b, int from, int to) {
        if (to - from < 19
                || b[from + 4] != '-'
                || b[from + 7] != '-'
                || (b[from + 10] != 'T' && b[from + 10] != ' ')) {
            return NONE;
        }
        long day = day(digits(b, from, 4), digits(b, from + 5, 2), digits(b, from + 8, 2));
        long clock = clock(b, from + 11);
        int at = from + 19;
        long millis = 0;
        if (at < to && b[at] == '.') {
            long part = 100;
            for (at++; at < to && b[at] >= '0' && b[at] <= '9'; at++, part /= 10) {
                millis += part * (b[at] - '0');
            }
        }
        long offset = at == to || (b[at] == 'Z' && at + 1 == to) ? 0 : offset(b, at, to);
        return day == NONE || clock < 0 || offset == NONE ? NONE : day * DAY + clock + millis - offset;
    }

    /** A date {@code 2026-11-30} and a time {@code 10:00:05} in UTC, each at its place. */
    long utc(byte[] b, int date, int time) {
        long day = day(digits(b, date, 4), digits(b, date + 5, 2), digits(b, date + 8, 2));
        long clock = clock(b, time);
        return day == NONE || clock < 0 ? NONE : day * DAY + clock;
    }

    private static long clock(byte[] b, int at) {
        int hour = digits(b, at, 2);
        int minute = digits(b, at + 3, 2);
        int second = digits(b, at + 6, 2);
        boolean shaped = b[at + 2] == ':' && b[at + 5] == ':';
        if (!shaped || (hour | minute | second) < 0 || hour > 23 || minute > 59 || second > 60) {
            return -1;
        }
        return ((hour * 60L + minute) * 60 + second) * 1_000;
    }

    private static long offset(byte[] b, int from, int to) {
        boolean colon = to - from == 6 && b[from + 3] == ':';
        if ((!colon && to - from != 5) || (b[from] != '+' && b[from] != '-')) {
            return NONE;
        }
        int hours = digits(b, from + 1, 2);
        int minutes = digits(b, to - 2, 2);
        if ((hours | minutes) < 0 || hours > 18 || minutes > 59) {
            return NONE;
        }
        long offset = (hours * 60L + minutes) * 60_000;
        return b[from] == '-' ? -offset : offset;
    }

    private static int month(byte[] b, int at) {
        for (int month = 0; month < 12; month++) {
            if (b[at] == MONTHS.charAt(month * 3)
                    && b[at + 1] == MONTHS.charAt(month * 3 + 1)
                    && b[at + 2] == MONTHS.charAt(month * 3 + 2)) {
                return month + 1;
            }
        }
        return -1;
    }

    private long day(int year, int month, int day) {
        if ((year | month | day) < 0) {
            return NONE;
        }
        int key = (year * 16 + month) * 32 + day;
        if (key != keptKey) {
            try {
                keptDay = LocalDate.of(year, month, day).toEpochDay();
                keptKey = key;
            } catch (DateTimeException noDay) {
                return NONE;
            }
        }
        return keptDay;
    }

    /** -1 if one of them is none. */
    private static int digits(byte[] b, int at, int count) {
        int number = 0;
        for (int i = at; i < at + count; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
