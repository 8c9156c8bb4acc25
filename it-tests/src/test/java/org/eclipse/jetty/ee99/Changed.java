package org.eclipse.jetty.ee99;

/** A request of a Jetty to come, which has nothing of what our watch looks for. */
interface Changed {}
