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

    /** Called by Jersey, while the application starts. */
    @Override
    public boolean configure(FeatureContext context) {
        if (context.getConfiguration().isRegistered(RequestCalls.class)) {
            return false;
        }
        context.register(new RequestCalls(InjectionManagerProvider.getInjectionManager(context)));
        return true;
    }
}
