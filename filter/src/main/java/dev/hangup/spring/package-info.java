/** For applications with Spring MVC: {@code @CallerAware} on handler methods, and endpoints by the names of their routes. */
@NullMarked
package dev.hangup.spring;

import org.jspecify.annotations.NullMarked;
