package dev.hangup.it;

/** The departures that a suite has time for. */
@EachLine
final class Http2AsyncIT extends Http2AsyncDepartures {

    Http2AsyncIT() {
        super(6);
    }
}
