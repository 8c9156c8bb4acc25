package dev.hangup.it;

/**
 * A port of a proxy.
 *
 * @param server the port that it passes requests on to
 */
record Front(Hop hop, ContainerKind container, int port, int server) {}
