package dev.hangup.it;

/** The containers that every integration test runs against; see {@link EachContainer}. */
public enum ContainerKind {
    JETTY {
        @Override
        public Container start(Site site) {
            return JettyContainer.start(site);
        }

        @Override
        public Container deploy(War war, int maxThreads, Wire wire) {
            return JettyContainer.deploy(war, maxThreads, wire);
        }

        @Override
        public Host host(int maxThreads) {
            return JettyContainer.host(maxThreads);
        }
    },
    TOMCAT {
        @Override
        public Container start(Site site) {
            return TomcatContainer.start(site);
        }

        @Override
        public Container deploy(War war, int maxThreads, Wire wire) {
            return TomcatContainer.deploy(war, maxThreads, wire);
        }

        @Override
        public Host host(int maxThreads) {
            return TomcatContainer.host(maxThreads);
        }
    };

    /** Starts the container with the site at its root, embedded: application and container share one class loader. */
    public abstract Container start(Site site);

    /** Starts the container with the WAR at its root: the application has its own class loader, as in production. */
    public abstract Container deploy(War war, int maxThreads, Wire wire);

    public final Container deploy(War war, int maxThreads) {
        return deploy(war, maxThreads, Wire.PLAIN);
    }

    /** Starts the container without an application. */
    public abstract Host host(int maxThreads);
}
