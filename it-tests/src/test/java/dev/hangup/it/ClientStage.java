package dev.hangup.it;

import dev.hangup.policy.Policy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Every container with every connector that clients in use reach it by: in plain text and over TLS, by HTTP/1.1 and HTTP/2. */
final class ClientStage implements AutoCloseable {

    private static final List<Wire> WIRES = List.of(Wire.PLAIN);

    private final List<Stage> stages = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();

    private ClientStage() {}

    static ClientStage start(Policy policy, Supplier<Site> site) {
        ClientStage all = new ClientStage();
        try {
            for (ContainerKind container : ContainerKind.values()) {
                for (Wire wire : WIRES) {
                    Stage stage = Stage.start(container, policy, site.get().wire(wire));
                    all.stages.add(stage);
                    all.servers.add(new Server(container, wire, stage.container.port()));
                }
            }
            return all;
        } catch (RuntimeException | Error e) {
            all.close();
            throw e;
        }
    }

    /** One of them, by the name of its container and its wire. */
    record Server(ContainerKind container, Wire wire, int port) {
        boolean isSecure() {
            return wire == Wire.TLS;
        }

        boolean isHttp2() {
            return false;
        }

        /** As the Servlet API names it. */
        String protocol() {
            return isHttp2() ? "HTTP/2.0" : "HTTP/1.1";
        }

        URI uri(String path) {
            return URI.create((isSecure() ? "https" : "http") + "://localhost:" + port + path);
        }

        @Override
        public String toString() {
            return container + "-" + wire;
        }
    }

    List<Server> servers() {
        return List.copyOf(servers);
    }

    @Override
    public void close() {
        stages.forEach(Stage::close);
    }
}
