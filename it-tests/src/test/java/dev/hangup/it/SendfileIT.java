package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.catalina.servlets.DefaultServlet;
import org.junit.jupiter.api.Test;

/** Tomcat gives whole files to the kernel to send, if nobody has wrapped the response. */
final class SendfileIT {

    private static final String CONTENT = "file ".repeat(60_000);
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /observed.txt", Entry.of(Mode.OBSERVE))
            .endpoint("GET /cancelled.txt", Entry.of(Mode.CANCEL))
            .build();

    @Test
    void filesOfEndpointsThatDoNotCancelAreSentByTheKernel() throws IOException {
        Queue<String> sentByTheKernel = new ConcurrentLinkedQueue<>();
        Filter before = (request, response, chain) -> {
            chain.doFilter(request, response);
            if (request.getAttribute("org.apache.tomcat.sendfile.filename") != null) {
                sentByTheKernel.add(((HttpServletRequest) request).getRequestURI());
            }
        };
        Site site = new Site()
                .initializer(context -> {
                    for (String file : new String[] {"observed.txt", "cancelled.txt", "other.txt"}) {
                        try {
                            Files.writeString(Path.of(context.getRealPath("/"), file), CONTENT);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                })
                .filter(before)
                .servlet("/", new DefaultServlet());
        try (Stage stage = Stage.start(ContainerKind.TOMCAT, POLICY, site);
                RawClient client = stage.client()) {
            for (String path : new String[] {"/observed.txt", "/cancelled.txt", "/other.txt"}) {
                RawResponse response = client.get(path).response();
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).isEqualTo(CONTENT);
            }
            assertThat(sentByTheKernel).containsExactly("/observed.txt", "/other.txt");
        }
    }
}
