package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;

/** Paths with an encoded slash, where the container lets them in: the application that copes with them is not hindered. */
final class AmbiguousPathIT {

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                    deadlines:
                      endpoints:
                        "GET /files/{name}": { mode: cancel }
                    """).policy();

    @EachContainer
    void theApplicationAnswersThem(ContainerKind kind) throws Exception {
        Site site = new Site()
                .ambiguousPaths()
                .servlet("/files/*", new LambdaServlet((request, response) -> response.getWriter()
                        .print(request.getRequestURI())));
        try (Stage stage = Stage.start(kind, POLICY, site)) {
            for (String path : new String[] {"/files/a%2Fb", "/files/a%252Fb", "/files/plain"}) {
                RawResponse answer = RawClient.ask(stage.container, path);
                assertThat(answer.status()).as(path).isEqualTo(200);
                assertThat(answer.body()).isEqualTo(path);
            }
        }
    }
}
