/** Spring MVC's resources on every container, Jersey 4.0 on the newest line and 3.1 on the older ones. */
@NullMarked
package dev.hangup.it.spring;

import org.jspecify.annotations.NullMarked;
