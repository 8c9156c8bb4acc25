package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.Call;
import dev.hangup.call.CallCancelledException;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * A cancel ends an asynchronous response under threads of the application's, which go on with its request for a moment: what they
 * see is theirs or nothing, and never the next request of the connection.
 */
@EachLine
final class KeptRequestIT {
    private static final int CONNECTIONS = 8;
    private static final int REQUESTS = 80;

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /cancels", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(100)))
            .endpoint("GET /looks", Entry.of(Mode.CANCEL))
            .endpoint("GET /next", Entry.of(Mode.CANCEL))
            .build();

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final Queue<String> strange = new ConcurrentLinkedQueue<>();
    private volatile @Nullable HttpServletRequest request;
    private volatile @Nullable HttpServletResponse response;
    private volatile List<String> seen = List.of();

    @AfterEach
    void end() {
        pool.shutdownNow();
    }

    @EachContainer
    void nothingOfItSpeaksForTheNext(ContainerKind kind) throws Exception {
        LambdaServlet first = new LambdaServlet((request, response) -> {
            request.startAsync();
            this.request = request;
            this.response = response;
        });
        LambdaServlet next = new LambdaServlet((request, response) -> {
            pool.submit(this::lookAtAll).get();
            response.getWriter().print(request.getHeader("X-Whose"));
        });
        Site site = new Site().servlet("/cancels", first).servlet("/next", next);
        try (Stage stage = Stage.start(kind, POLICY, site);
                RawClient caller = stage.client()) {
            assertThat(caller.get("/cancels", "X-Whose: mine").response().status())
                    .isEqualTo(504);
            assertThat(caller.get("/next", "X-Whose: theirs").response().body()).isEqualTo("theirs");
            assertThat(seen)
                    .containsExactlyInAnyOrder(
                            "getAttribute null", // those who unwind are not to fail a second time
                            "getAsyncContext the context",
                            "isCommitted true");
        }
    }

    @EachContainer
    void noLookAndNoChangeReachesTheNext(ContainerKind kind) throws Exception {
        LambdaServlet looks = new LambdaServlet((request, response) -> {
            if (request.getAttribute("whose") != null) {
                strange.add("an attribute of " + request.getAttribute("whose"));
            }
            String mine = request.getHeader("X-Whose");
            request.startAsync();
            CyclicBarrier start = new CyclicBarrier(2);
            Call call = Call.current();
            pool.execute(() -> look(request, mine, start));
            start.await(10, TimeUnit.SECONDS);
            call.cancel();
        });
        try (Stage stage = Stage.start(kind, POLICY, new Site().servlet("/looks", looks))) {
            for (int i = 0; i < CONNECTIONS; i++) {
                ask(stage, i);
            }
            pool.shutdown();
            assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            assertThat(strange).isEmpty();
        }
    }

    /** On one connection, where the container keeps it: Tomcat closes it after a 503, and keeps request and response. */
    private static void ask(Stage stage, int connection) throws IOException {
        RawClient caller = stage.client();
        for (int i = 0; i < REQUESTS; i++) {
            RawResponse answer =
                    caller.get("/looks", "X-Whose: " + connection + "/" + i).response();
            assertThat(answer.status()).isEqualTo(503);
            if ("close".equals(answer.header("Connection"))) {
                caller.close();
                caller = stage.client();
            }
        }
        caller.close();
    }

    private void lookAtAll() {
        seen = looks(HttpServletRequest.class, Objects.requireNonNull(request));
        seen.addAll(looks(HttpServletResponse.class, Objects.requireNonNull(response)));
    }

    /** Until it is told that the response is over. */
    private void look(HttpServletRequest request, String mine, CyclicBarrier start) {
        try {
            start.await(10, TimeUnit.SECONDS);
            while (true) {
                request.setAttribute("whose", mine);
                request.getAttribute("whose");
                String whose = request.getHeader("X-Whose");
                if (!mine.equals(whose)) {
                    strange.add("a header of " + whose);
                }
            }
        } catch (CallCancelledException over) {
            // as it should be
        } catch (Exception e) {
            strange.add(e.toString());
        }
    }

    /** What each method without arguments, or with a name alone, has to say, but for those that refuse. */
    private static List<String> looks(Class<?> type, Object kept) {
        List<String> said = new ArrayList<>();
        for (Method method : type.getMethods()) {
            List<Class<?>> takes = Arrays.asList(method.getParameterTypes());
            boolean asks = Stream.of("get", "is", "contains", "encode", "change", "logout", "startAsync")
                    .anyMatch(method.getName()::startsWith);
            if (asks && (takes.isEmpty() || takes.equals(List.of(String.class)))) {
                try {
                    Object answer = takes.isEmpty() ? method.invoke(kept) : method.invoke(kept, "X-Whose");
                    said.add(method.getName() + " " + (method.getName().endsWith("Context") ? "the context" : answer));
                } catch (InvocationTargetException e) {
                    if (!(e.getCause() instanceof CallCancelledException || e.getCause() instanceof IOException)) {
                        said.add(method.getName() + " throws " + e.getCause());
                    }
                } catch (IllegalAccessException e) {
                    said.add(method.getName() + ": " + e);
                }
            }
        }
        return said;
    }
}
