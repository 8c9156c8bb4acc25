package dev.hangup.it;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes every wait ask fifty times a second, five times as often as it would. Before the first question there is a delay as long, and most
 * of what is waited for comes within milliseconds: the suite would spend more time on these delays than on its work.
 */
public final class Polling implements BeforeAllCallback {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(INTERVAL);
    }
}
