/** What the application calls downstream, on behalf of a call: with the time that is left, and no longer than anybody waits. */
@NullMarked
package dev.hangup.client;

import org.jspecify.annotations.NullMarked;
