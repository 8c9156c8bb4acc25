package dev.hangup.it;

/** A container that runs on while applications come and go. */
public interface Host extends Container {

    /** Deploys the WAR at this path, for example {@code /app}, which works when this returns. */
    Deployment deploy(War war, String path);

    /** An application of a running container. */
    interface Deployment {
        /** Stops it, whatever it is doing, and takes it away. */
        void undeploy();
    }
}
