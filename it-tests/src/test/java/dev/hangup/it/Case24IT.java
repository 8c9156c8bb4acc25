package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/** Containers that do not tell their listeners what they should: a layer between the real one and Hangup plays them. */
@DisplayName("case 24: listeners that are told nothing, or too much")
final class Case24IT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO).withStuckAfter(Duration.ofMillis(400)))
            .endpoint("GET /ends", Entry.of(Mode.CANCEL))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(200)))
            .endpoint("GET /ends/observed", Entry.of(Mode.OBSERVE).normal(Duration.ofMillis(300)))
            .endpoint("GET /ends/answered", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(300)))
            .build();

    /** What a listener is told of a completion and of a failure. */
    private enum Lore {
        MISSING {
            @Override
            void completed(AsyncListener listener, AsyncEvent event) {}

            @Override
            void failed(AsyncListener listener, AsyncEvent event) {}
        },
        DOUBLED {
            @Override
            void completed(AsyncListener listener, AsyncEvent event) throws IOException {
                listener.onComplete(event);
                listener.onComplete(event);
            }

            @Override
            void failed(AsyncListener listener, AsyncEvent event) throws IOException {
                listener.onError(event);
                listener.onError(event);
            }
        },
        AFTER_ERROR {
            @Override
            void completed(AsyncListener listener, AsyncEvent event) throws IOException {
                failed(listener, event);
            }

            @Override
            void failed(AsyncListener listener, AsyncEvent event) throws IOException {
                listener.onError(event);
                listener.onComplete(event);
            }
        };

        abstract void completed(AsyncListener listener, AsyncEvent event) throws IOException;

        abstract void failed(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    @EachContainer
    void completionThatIsNotToldEndsTheCancelledCallAllTheSame(ContainerKind kind) throws Exception {
        Ledger ledger = serve(kind, Lore.MISSING, "/late", 504);
        assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(1);
    }

    /** It is let go of when its time is over, as nobody has said that its answer was whole long before. */
    @EachContainer
    void completionThatIsNotToldEndsTheObservedCallAllTheSame(ContainerKind kind) throws Exception {
        Ledger ledger = serve(kind, Lore.MISSING, "/ends/observed", 200);
        assertThat(ledger.ended(Outcome.DEADLINE_PASSED)).as("%s", ledger).isEqualTo(1);
    }

    @EachContainer
    void completionThatIsNotToldEndsTheAnsweredCallAllTheSame(ContainerKind kind) throws Exception {
        Ledger ledger = serve(kind, Lore.MISSING, "/ends/answered", 200);
        assertThat(ledger.ended(Outcome.DEADLINE_PASSED)).as("%s", ledger).isEqualTo(1);
    }

    @EachContainer
    void doubledEventsEndTheCallOnce(ContainerKind kind) throws Exception {
        assertThat(serve(kind, Lore.DOUBLED, "/ends", 200).ended(Outcome.COMPLETED))
                .isEqualTo(1);
        assertThat(serve(kind, Lore.DOUBLED, "/late", 504).ended(Outcome.CANCELLED))
                .isEqualTo(1);
    }

    @EachContainer
    void completionAfterAFailureEndsTheCallOnce(ContainerKind kind) throws Exception {
        assertThat(serve(kind, Lore.AFTER_ERROR, "/ends", 200).ended(Outcome.COMPLETED))
                .isEqualTo(1);
        assertThat(serve(kind, Lore.AFTER_ERROR, "/late", 504).ended(Outcome.CANCELLED))
                .isEqualTo(1);
    }

    private static Ledger serve(ContainerKind kind, Lore lore, String path, int status) throws Exception {
        Ledger ledger = new Ledger();
        Filter layer =
                (request, response, chain) -> chain.doFilter(new Layer((HttpServletRequest) request, lore), response);
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            if (path.startsWith("/ends")) {
                CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(async::complete);
            }
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .filter(layer)
                        .filter(new HangupFilter(hangup))
                        .servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get(path).response().status()).isEqualTo(status);
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(1));
            await().during(Duration.ofMillis(100)).until(() -> ledger.endedTwice() == 0);
            logged.assertNoAlarms();
        }
        return ledger;
    }

    /** Hands out contexts whose listeners are told as the lore has it. */
    private static final class Layer extends HttpServletRequestWrapper {
        private final Lore lore;

        Layer(HttpServletRequest request, Lore lore) {
            super(request);
            this.lore = lore;
        }

        @Override
        public AsyncContext startAsync() {
            return layer(super.startAsync());
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            return layer(super.startAsync(request, response));
        }

        @Override
        public AsyncContext getAsyncContext() {
            return layer(super.getAsyncContext());
        }

        private AsyncContext layer(AsyncContext raw) {
            return (AsyncContext) Proxy.newProxyInstance(
                    Layer.class.getClassLoader(), new Class<?>[] {AsyncContext.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("addListener") && arguments[0] instanceof AsyncListener listener) {
                            arguments[0] = new Told(listener);
                        }
                        try {
                            return method.invoke(raw, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        private final class Told implements AsyncListener {
            private final AsyncListener listener;

            Told(AsyncListener listener) {
                this.listener = listener;
            }

            @Override
            public void onComplete(AsyncEvent event) throws IOException {
                lore.completed(listener, event);
            }

            @Override
            public void onError(AsyncEvent event) throws IOException {
                lore.failed(listener, event);
            }

            @Override
            public void onTimeout(AsyncEvent event) {
                try {
                    listener.onTimeout(event);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void onStartAsync(AsyncEvent event) throws IOException {
                listener.onStartAsync(event);
            }
        }
    }
}
