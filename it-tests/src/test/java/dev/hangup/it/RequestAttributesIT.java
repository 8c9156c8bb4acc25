package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A guarded request's attributes: there until its listeners have heard that it is complete, and then perhaps somebody else's. */
final class RequestAttributesIT {

    private static final Policy POLICY =
            Policy.builder().endpoint("GET /cancels", Entry.of(Mode.CANCEL)).build();

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private volatile @Nullable HttpServletRequest kept;

    @EachContainer
    void areThereForListenersAndNotLater(ContainerKind kind) throws Exception {
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            request.setAttribute("whose", "mine");
            AsyncContext async = request.startAsync();
            async.addListener(new Hearing(request));
            kept = request;
            async.complete();
        });
        try (Stage stage = Stage.start(kind, POLICY, new Site().servlet("/cancels", servlet))) {
            assertThat(RawClient.ask(stage.container, "/cancels").status()).isEqualTo(200);
            await().untilAsserted(() -> assertThat(heard).containsExactly("mine"));
            HttpServletRequest late = Objects.requireNonNull(kept);
            late.setAttribute("whose", "nobody's");
            late.removeAttribute("whose");
            assertThat(late.getAttribute("whose")).isNull();
        }
    }

    private final class Hearing implements AsyncListener {
        private final HttpServletRequest request;

        Hearing(HttpServletRequest request) {
            this.request = request;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            heard.add(String.valueOf(request.getAttribute("whose")));
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
