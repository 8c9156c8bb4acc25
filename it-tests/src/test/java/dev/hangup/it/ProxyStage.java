package dev.hangup.it;

import dev.hangup.policy.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Every container with every {@link Hop} in front of it, and one {@link WaitingRoom} for all callers. */
final class ProxyStage implements AutoCloseable {

    final WaitingRoom room = new WaitingRoom();
    private final Map<ContainerKind, Site> sites = new EnumMap<>(ContainerKind.class);
    private final Map<ContainerKind, HalfOpenRelay> relays = new EnumMap<>(ContainerKind.class);
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Proxies proxies;

    /** @param directory for what the proxies need */
    ProxyStage(Policy policy, Path directory) throws IOException {
        Map<ContainerKind, Integer> ports = new EnumMap<>(ContainerKind.class);
        try {
            for (ContainerKind kind : ContainerKind.values()) {
                Site site = new Site().maxThreads(100).servlet("/*", room);
                Stage stage = Stage.start(kind, policy, site);
                open.add(stage);
                sites.put(kind, site);
                ports.put(kind, stage.container.port());
                HalfOpenRelay relay = HalfOpenRelay.start(stage.container.port());
                open.add(relay);
                relays.put(kind, relay);
            }
            proxies = Proxies.start(directory, ports);
            open.add(proxies);
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** One way to one server. */
    record Way(Hop hop, ContainerKind container) {
        /** The path of a request, different from all others. */
        String path(String directory, Object what) {
            return directory + hop + "-" + container + "-" + what;
        }
    }

    static List<Way> ways(Hop... hops) {
        return Stream.of(hops)
                .flatMap(hop -> Stream.of(ContainerKind.values()).map(container -> new Way(hop, container)))
                .toList();
    }

    int port(Way way) {
        return way.hop() == Hop.HALF_OPEN ? at(relays, way).port() : proxies.port(way.hop(), way.container());
    }

    /** Whether the server's access log has this line. */
    boolean hasLogged(Way way, String line) {
        return at(sites, way).accessLog().contains(line);
    }

    private static <T> T at(Map<ContainerKind, T> all, Way way) {
        return Objects.requireNonNull(all.get(way.container()));
    }

    @Override
    public void close() {
        Collections.reverse(open);
        for (AutoCloseable one : open) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
