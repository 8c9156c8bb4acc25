package dev.hangup.it;

import dev.hangup.call.CancelReason;
import dev.hangup.policy.Policy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Every container with the connectors that clients in use reach it by. */
final class ClientStage implements AutoCloseable {

    private final List<Stage> stages = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();

    private ClientStage() {}

    static ClientStage start(Policy policy, Supplier<Site> site, Wire... wires) {
        ClientStage all = new ClientStage();
        try {
            for (ContainerKind container : ContainerKind.values()) {
                for (Wire wire : wires) {
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
            return wire.isSecure();
        }

        boolean isHttp2() {
            return wire == Wire.H2 || wire == Wire.H2C;
        }

        /** As the Servlet API names it. */
        String protocol() {
            return isHttp2() ? "HTTP/2.0" : "HTTP/1.1";
        }

        /** Whether this is how a caller of this server leaves. */
        boolean isDeparture(CancelReason reason) {
            return reason.callerGone() && isHttp2() == (reason == CancelReason.STREAM_RESET);
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
