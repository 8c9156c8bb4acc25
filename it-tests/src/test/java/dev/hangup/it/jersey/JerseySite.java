package dev.hangup.it.jersey;

import dev.hangup.it.Site;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** Sites that Jersey serves. */
final class JerseySite {

    private JerseySite() {}

    /** Jersey at the root, with these resource classes and providers; the extension finds its way in by itself. */
    static Site of(Class<?>... components) {
        return of("/*", new ResourceConfig(components));
    }

    /** Jersey below a pattern such as {@code /api/*}, started with the application. */
    static Site of(String pattern, ResourceConfig application) {
        return with(new Site(), pattern, application);
    }

    /** The same in addition to what a site has. Without WADL, which warns where there is no JAXB. */
    static Site with(Site site, String pattern, ResourceConfig application) {
        application.property("jersey.config.server.wadl.disableWadl", true);
        return site.initializer(context -> {
            var servlet = context.addServlet("jersey " + pattern, new ServletContainer(application));
            servlet.setLoadOnStartup(1);
            servlet.setAsyncSupported(true);
            servlet.addMapping(pattern);
        });
    }
}
