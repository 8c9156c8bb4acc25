package dev.hangup.demo.jersey;

import dev.hangup.demo.ReportDesk;
import java.util.concurrent.Executor;
import org.glassfish.hk2.utilities.binding.AbstractBinder;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * The example as an application of Jersey's. The resource is registered by its class and bound as the object that it is: of one that
 * is registered as an object Jersey warns that it is no provider and will be ignored, and then uses it.
 */
public final class ReportService extends ResourceConfig {

    /** @param background on which reports are made that nobody's thread waits for */
    public ReportService(ReportDesk slow, ReportDesk fast, Executor background) {
        super(ReportResource.class);
        ReportResource resource = new ReportResource(slow, fast, background);
        register(new AbstractBinder() {
            @Override
            protected void configure() {
                bind(resource).to(ReportResource.class);
            }
        });
    }
}
