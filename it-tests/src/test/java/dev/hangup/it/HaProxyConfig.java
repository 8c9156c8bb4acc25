package dev.hangup.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** HAProxy with nothing set but what it insists on, and the hop's own option. */
final class HaProxyConfig {

    private HaProxyConfig() {}

    /** Writes it, with all that it refers to, and returns the command that runs the program with it. */
    static List<String> command(String program, Path home, List<Front> fronts) throws IOException {
        return List.of(program, "-db", "-f", write(home, fronts).toString());
    }

    private static Path write(Path home, List<Front> fronts) throws IOException {
        Files.writeString(home.resolve("server.pem"), Pem.certificate() + Pem.key());
        StringBuilder config = new StringBuilder("""
                global
                    maxconn 1000
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 30s
                    timeout server 30s
                """);
        for (Front front : fronts) {
            config.append("""
                    listen at%1$d
                        bind 127.0.0.1:%1$d%3$s
                        %4$s
                        server behind 127.0.0.1:%2$d
                    """.formatted(
                            front.port(),
                            front.server(),
                            front.hop().http2() ? " ssl crt " + home.resolve("server.pem") + " alpn h2" : "",
                            front.hop().directive()));
        }
        return Files.writeString(home.resolve("haproxy.cfg"), config);
    }
}
