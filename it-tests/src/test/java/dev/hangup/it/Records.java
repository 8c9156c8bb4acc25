package dev.hangup.it;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** All that is logged, by whomever, while this is open; what the loggers' levels drop is not seen. */
public final class Records extends Handler implements AutoCloseable {

    private static final Logger ROOT = Logger.getLogger("");

    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    private Records() {}

    public static Records open() {
        Records records = new Records();
        ROOT.addHandler(records);
        return records;
    }

    /** Each as its level, its logger and its message. */
    public List<String> lines() {
        return records.stream()
                .map(record -> record.getLevel() + " " + record.getLoggerName() + " " + record.getMessage())
                .toList();
    }

    @Override
    public void publish(LogRecord entry) {
        records.add(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        ROOT.removeHandler(this);
    }
}
