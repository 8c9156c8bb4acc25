package dev.hangup.call;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks slow work that shall stop when its caller has hung up: on a servlet class, a resource class, method or locator. The
 * policy file's entry for the same endpoint takes precedence, key by key.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface CallerAware {
    /** A duration such as {@code 1500ms}, {@code 30s} or {@code 2m}; empty: the policy's default. */
    String deadline() default "";

    /** What a departure or a passed deadline does. */
    Reaction onCallerGone() default Reaction.CANCEL;

    /** Whether workers may be interrupted; without it a cancel sets the flag, stops SQL and runs hooks. */
    boolean interrupt() default true;

    /** What a departure does to the work. */
    enum Reaction {
        /** The work is stopped. */
        CANCEL,
        /** The departure is counted, nothing else. */
        OBSERVE
    }
}
