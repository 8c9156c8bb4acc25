/**
 * Reads access logs: bytes to lines to calls, in one pass and without an object for each line. Knows formats, and nothing of
 * endpoints, windows and recommendations.
 */
@NullMarked
package dev.hangup.tune.log;

import org.jspecify.annotations.NullMarked;
