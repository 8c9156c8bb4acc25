package dev.hangup.policy;

import java.time.Duration;
import java.util.List;

/** As an application might add one: a header of its own, by a {@link java.util.ServiceLoader}; careless with what it reads. */
public final class SecondsHeader implements DeadlineHeader {

    @Override
    public String name() {
        return "x-test-seconds";
    }

    @Override
    public Reading read(List<String> lines) {
        return Reading.of(Duration.ofSeconds(Long.parseLong(lines.get(0))));
    }

    @Override
    public String format(Duration span) {
        return Long.toString(span.toSeconds());
    }
}
