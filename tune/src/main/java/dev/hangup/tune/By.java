package dev.hangup.tune;

/** What a recommendation is for. */
enum By {
    ENDPOINT,
    SOURCE,
    HOST
}
