package dev.hangup.tune.prometheus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/**
 * A span of time cut where a window begins or ends and where a run does. What a counter has gained in each piece is asked for with
 * as few range queries as there are lengths: pieces of one length end at moments that are a multiple of one step apart.
 */
public final class Stretches {

    private static final long MINUTE = 60;
    /** What Prometheus answers at most in one query, per series. */
    private static final long MOST_POINTS = 10_000;

    private Stretches() {}

    /**
     * One piece.
     *
     * @param window the window in force, by number
     * @param end in seconds since the epoch; what happens at this very moment belongs to it
     */
    public record Stretch(int window, long run, long start, long end) {

        long length() {
            return end - start;
        }
    }

    /**
     * A range query: at which moments, and which of them matter.
     *
     * @param length of what is looked back at, in seconds
     */
    public record Query(long length, long start, long end, long step, Map<Long, Stretch> byEnd) {}

    /**
     * Cuts a span of time into pieces; windows and runs begin with minutes.
     *
     * @param from in seconds since the epoch
     * @param windows the window of a moment in milliseconds, by number
     * @param runs the run of a moment in milliseconds
     */
    public static List<Stretch> of(long from, long to, LongFunction<Integer> windows, LongUnaryOperator runs) {
        List<Stretch> all = new ArrayList<>();
        long start = from;
        while (start < to) {
            int window = windows.apply(start * 1_000);
            long run = runs.applyAsLong(start * 1_000);
            long end = (Math.floorDiv(start, MINUTE) + 1) * MINUTE;
            while (end < to && windows.apply(end * 1_000) == window && runs.applyAsLong(end * 1_000) == run) {
                end += MINUTE;
            }
            end = Math.min(end, to);
            all.add(new Stretch(window, run, start, end));
            start = end;
        }
        return all;
    }

    /** The queries that ask for all of them. */
    public static List<Query> queries(List<Stretch> stretches) {
        Map<Long, List<Stretch>> byLength = new LinkedHashMap<>();
        stretches.forEach(it -> byLength.computeIfAbsent(it.length(), length -> new ArrayList<>())
                .add(it));
        List<Query> queries = new ArrayList<>();
        byLength.forEach((length, all) -> {
            long step = 0;
            for (int i = 1; i < all.size(); i++) {
                step = commonDivisor(step, all.get(i).end() - all.get(i - 1).end());
            }
            add(queries, length, Math.max(step, 1), all);
        });
        return queries;
    }

    private static void add(List<Query> queries, long length, long step, List<Stretch> all) {
        for (int i = 0; i < all.size(); ) {
            Map<Long, Stretch> byEnd = new LinkedHashMap<>();
            long start = all.get(i).end();
            long end = start;
            while (i < all.size() && all.get(i).end() - start <= MOST_POINTS * step) {
                end = all.get(i).end();
                byEnd.put(end, all.get(i++));
            }
            queries.add(new Query(length, start, end, step, byEnd));
        }
    }

    private static long commonDivisor(long one, long other) {
        return other == 0 ? one : commonDivisor(other, one % other);
    }
}
