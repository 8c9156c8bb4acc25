package dev.hangup.it;

import org.junit.jupiter.api.Tag;

/** As many as it takes to meet the moments between two looks. */
@Tag("soak")
final class Http2AsyncSoakIT extends Http2AsyncDepartures {

    Http2AsyncSoakIT() {
        super(20);
    }
}
