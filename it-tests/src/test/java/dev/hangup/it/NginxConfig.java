package dev.hangup.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** nginx as it usually stands before a server: HTTP/1.1 with connections that are kept for the next request. */
final class NginxConfig {

    private NginxConfig() {}

    /** Writes it, with all that it refers to, and returns the command that runs the program with it. */
    static List<String> command(String program, Path home, List<Front> fronts) throws IOException {
        String config = write(home, fronts).toString();
        return List.of(program, "-p", home + "/", "-e", "error.log", "-c", config);
    }

    private static Path write(Path home, List<Front> fronts) throws IOException {
        Files.writeString(home.resolve("server.pem"), Pem.certificate());
        Files.writeString(home.resolve("server.key"), Pem.key());
        StringBuilder config = new StringBuilder(root() ? "user root;\n" : "").append("""
                daemon off;
                pid nginx.pid;
                worker_processes 1;
                events {}
                http {
                    access_log off;
                    client_body_temp_path body;
                    proxy_temp_path proxy;
                    fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi;
                    scgi_temp_path scgi;
                    ssl_certificate server.pem;
                    ssl_certificate_key server.key;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                    proxy_read_timeout 30s;
                """);
        for (Front front : fronts) {
            config.append("""
                        upstream at%1$d { server 127.0.0.1:%2$d; keepalive 16; }
                        server {
                            listen 127.0.0.1:%1$d%3$s;
                            location / { proxy_pass http://at%1$d; %4$s }
                            location /streamed/ { proxy_pass http://at%1$d; proxy_request_buffering off; %4$s }
                        }
                    """.formatted(
                            front.port(),
                            front.server(),
                            front.hop().http2() ? " ssl http2" : "",
                            front.hop().directive()));
        }
        return Files.writeString(home.resolve("nginx.conf"), config.append("}\n"));
    }

    private static boolean root() {
        return "root".equals(System.getProperty("user.name"));
    }
}
