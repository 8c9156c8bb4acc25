package dev.hangup.call;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged while it is open, which then does not reach the console. */
final class CapturedLog extends Handler {
    private final Logger logger = Logger.getLogger("dev.hangup");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    CapturedLog() {
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    /** Level, message and the message of what was thrown. */
    List<String> lines() {
        return records.stream()
                .map(record -> record.getLevel() + " " + record.getMessage() + ": "
                        + (record.getThrown() == null ? "" : record.getThrown().getMessage()))
                .toList();
    }

    @Override
    public void publish(LogRecord record) {
        records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.setUseParentHandlers(true);
        logger.removeHandler(this);
    }
}
