package dev.hangup.tune.report;

import java.util.ArrayList;
import java.util.List;

/** A distribution: what share has happened by then. Immutable. */
public record Curve(List<Point> points) {

    /** Nothing has been seen. */
    public static final Curve NONE = new Curve(List.of());

    /** From these seconds on, until the next point, it is that share. */
    public record Point(double seconds, double share) {}

    public Curve {
        points = List.copyOf(points);
    }

    /**
     * The share by Kaplan and Meier: who was still waiting when watching ended counts as waiting until then and not afterwards.
     *
     * @param seconds in ascending order
     * @param events how many happened at each of them
     * @param censored how many were last seen there, still waiting
     */
    public static Curve of(double[] seconds, long[] events, long[] censored) {
        long waiting = 0;
        for (int i = 0; i < seconds.length; i++) {
            waiting += events[i] + censored[i];
        }
        List<Point> points = new ArrayList<>();
        double left = 1;
        for (int i = 0; i < seconds.length; i++) {
            if (events[i] > 0) {
                left *= 1 - (double) events[i] / waiting;
                points.add(new Point(seconds[i], 1 - left));
            }
            waiting -= events[i] + censored[i];
        }
        return new Curve(points);
    }

    boolean isEmpty() {
        return points.isEmpty();
    }

    /** The share by that time. */
    double at(double seconds) {
        double share = 0;
        for (Point point : points) {
            if (point.seconds() > seconds) {
                break;
            }
            share = point.share();
        }
        return share;
    }

    /** When that share is reached; the last moment if it never is. */
    double when(double share) {
        for (Point point : points) {
            if (point.share() >= share - 1e-12) {
                return point.seconds();
            }
        }
        return last();
    }

    double last() {
        return isEmpty() ? 0 : points.get(points.size() - 1).seconds();
    }
}
