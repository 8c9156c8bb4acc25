/** Tests of the demo. */
@NullMarked
package dev.hangup.demo;

import org.jspecify.annotations.NullMarked;
