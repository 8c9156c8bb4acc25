package dev.hangup.metrics;

import dev.hangup.call.EndpointView;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints by name. The first {@value #MOST} have series of their own, all others share {@value #OTHER}: whatever names
 * callers or frameworks invent, memory and the scrape stay bounded.
 */
final class Endpoints {
    static final int MOST = 300;
    static final String OTHER = "OTHER";

    private final Meters meters;
    private final Map<String, EndpointMeters> byName = new ConcurrentHashMap<>();
    /** Where all further names go; null while there are places. Written under the monitor. */
    private volatile @Nullable EndpointMeters rest;
    /** Places taken; guarded by the monitor. */
    private int own;

    Endpoints(Meters meters) {
        this.meters = meters;
    }

    /** One look-up for a name that is known, and no lock for any name once the places are taken. */
    EndpointMeters of(String endpoint) {
        EndpointMeters known = byName.get(endpoint);
        if (known == null) {
            known = rest;
        }
        return known != null ? known : admit(endpoint);
    }

    /** An endpoint that shares OTHER has no view: one deadline for all of them would mean nothing. */
    synchronized void known(EndpointView view) {
        EndpointMeters named = of(view.endpoint());
        if (named != byName.get(OTHER)) {
            named.view(view);
        }
    }

    private synchronized EndpointMeters admit(String endpoint) {
        EndpointMeters known = byName.get(endpoint);
        if (known != null) {
            return known;
        }
        // An application's own endpoint of the shared name takes no place.
        if (!endpoint.equals(OTHER)) {
            if (own == MOST) {
                EndpointMeters shared = admit(OTHER);
                rest = shared;
                return shared;
            }
            own++;
        }
        EndpointMeters made = new EndpointMeters(endpoint, meters);
        byName.put(endpoint, made);
        return made;
    }
}
