package dev.hangup.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests of what depends on a container's internals: they run on the newest line of each container, as all others do, and once
 * more on each further line that the module's {@code pom.xml} names.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("line")
public @interface EachLine {}
