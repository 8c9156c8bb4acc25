@NullMarked
package dev.hangup.jersey;

import org.jspecify.annotations.NullMarked;
