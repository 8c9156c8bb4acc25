package dev.hangup.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads the section {@code caller-deadline}. */
final class CallerDeadlineKeys {

    /** Ranges, which each request with such a header may be compared with. */
    private static final int MOST = 1_000;

    private CallerDeadlineKeys() {}

    static Keys of(PolicyBuilder builder) {
        return new Keys()
                .on(
                        "headers",
                        field -> list(field, DeadlineHeaders::named, all -> {
                            CallerDeadline known = builder.callerDeadline;
                            builder.callerDeadline(new CallerDeadline(all, known.trusted(), known.floor()));
                        }))
                .on(
                        "trusted",
                        field -> list(field, Network::parse, all -> {
                            CallerDeadline known = builder.callerDeadline;
                            builder.callerDeadline(new CallerDeadline(known.headers(), all, known.floor()));
                        }))
                .on(
                        "floor",
                        field -> field.value(
                                Durations::parse,
                                floor -> builder.callerDeadline(builder.callerDeadline.withFloor(floor))));
    }

    private static <T> void list(Field field, Function<String, T> parser, Consumer<List<T>> accept) {
        List<T> all = new ArrayList<>();
        if (!field.value().isEmpty()) {
            field.values(parser, all::add);
        }
        if (all.size() > MOST) {
            field.problem("too many", "at most " + MOST);
        } else {
            accept.accept(all);
        }
    }
}
