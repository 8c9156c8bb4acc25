package dev.hangup.jersey;

import jakarta.inject.Singleton;
import jakarta.ws.rs.sse.Sse;
import org.glassfish.hk2.utilities.binding.AbstractBinder;
import org.glassfish.jersey.server.spi.internal.ResourceMethodInvocationHandlerProvider;

/** What is no provider by contract. HK2's own binder: Jersey's is gone in 4.0. */
final class WorkBinder extends AbstractBinder {
    private static final int BEFORE_OTHERS = 1_000;

    @Override
    protected void configure() {
        bindAsContract(Sinks.class).in(Singleton.class);
        bind(Invocations.class)
                .to(ResourceMethodInvocationHandlerProvider.class)
                .in(Singleton.class)
                .ranked(BEFORE_OTHERS);
        if (hasServerSentEvents()) {
            bind(CallSse.class).to(Sse.class).in(Singleton.class).ranked(BEFORE_OTHERS);
        }
    }

    /** An application without that module of Jersey's is to be told so by Jersey. */
    private static boolean hasServerSentEvents() {
        try {
            Class.forName("org.glassfish.jersey.media.sse.SseFeature", false, WorkBinder.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
