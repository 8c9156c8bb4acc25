package dev.hangup.jersey;

import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import org.glassfish.jersey.InjectionManagerProvider;

/**
 * Makes a Jersey application take part in its callers' departures. Jersey finds it by itself (Jakarta REST 3.1, section 2.3.3);
 * where that is switched off ({@code jakarta.ws.rs.loadServices}) the application registers it. Registered twice it acts once.
 */
@ConstrainedTo(RuntimeType.SERVER)
public final class HangupFeature implements Feature {

    /** Jersey ranks nothing before 1: what is 0 or less has its default, in the middle. */
    private static final int FIRST = 1;

    private static final int LAST = Integer.MAX_VALUE;

    /** Called by Jersey, while the application starts. */
    @Override
    public boolean configure(FeatureContext context) {
        if (context.getConfiguration().isRegistered(RequestCalls.class)) {
            return false;
        }
        RequestCalls calls = new RequestCalls(InjectionManagerProvider.getInjectionManager(context));
        context.register(calls, FIRST);
        context.register(new CallParameters());
        context.register(new CallBinder(calls));
        context.register(new CancelledMapper(calls), LAST);
        context.register(new ConsequenceMapper(calls), LAST);
        context.register(new ChunkedAnswers());
        context.register(new Writes(), FIRST);
        context.register(Exchanges.class, FIRST).register(new WorkBinder());
        return true;
    }
}
