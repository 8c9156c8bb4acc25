package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

/** The containers' jars are those that this run of the tests is meant for, and the Servlet API is theirs. */
@EachLine
final class LineIT {

    @EachContainer
    void theContainerIsOfTheLineThatThisRunIsFor(ContainerKind kind) throws IOException {
        Site site = new Site().servlet("/*", new LambdaServlet((request, response) -> {
            var context = request.getServletContext();
            response.getWriter().print(context.getMajorVersion() + "." + context.getMinorVersion());
        }));
        try (Container container = kind.start(site)) {
            String servlet = RawClient.ask(container, "/").body();
            System.out.printf("%s %s, Servlet %s, Java %s%n", kind, container.version(), servlet, Runtime.version());
            assertThat(container.version() + ".").startsWith(line(kind) + ".");
            assertThat(servlet).isEqualTo(System.getProperty("line.servlet"));
        }
    }

    private static String line(ContainerKind kind) {
        return System.getProperty(kind == ContainerKind.JETTY ? "line.jetty" : "line.tomcat");
    }
}
