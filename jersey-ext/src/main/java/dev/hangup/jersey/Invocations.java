package dev.hangup.jersey;

import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallScope;
import dev.hangup.call.Consequence;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.inject.Injections;
import org.glassfish.jersey.internal.inject.Providers;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.model.Invocable;
import org.glassfish.jersey.server.spi.internal.ResourceMethodInvocationHandlerProvider;
import org.jspecify.annotations.Nullable;

/**
 * Calls resource methods: hands them responses that know their call, and lets no call begin its work that was cancelled while it
 * waited. Jersey uses one provider only, so this one asks the others for the handler that it goes on to.
 */
final class Invocations implements ResourceMethodInvocationHandlerProvider {
    private final InjectionManager injection;
    private final RequestCalls calls;
    private final Sinks sinks;

    @Inject
    Invocations(InjectionManager injection, RequestCalls calls, Sinks sinks) {
        this.injection = injection;
        this.calls = calls;
        this.sinks = sinks;
    }

    @Override
    public InvocationHandler create(Invocable method) {
        InvocationHandler next = next(method);
        return (target, called, arguments) -> invoke(next, target, called, arguments);
    }

    private InvocationHandler next(Invocable method) {
        for (ResourceMethodInvocationHandlerProvider other :
                Providers.getProviders(injection, ResourceMethodInvocationHandlerProvider.class)) {
            InvocationHandler handler = other == this ? null : other.create(method);
            if (handler != null) {
                return handler;
            }
        }
        return (target, called, arguments) -> called.invoke(target, arguments);
    }

    private @Nullable Object invoke(InvocationHandler next, Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        CallScope call = CallScope.current();
        if (call == null) {
            return next.invoke(target, method, arguments);
        }
        if (call.isCancelled()) {
            throw new InvocationTargetException(Cancelled.exception(call));
        }
        Object @Nullable [] own = arguments == null ? null : own(call, arguments);
        Object result;
        try {
            result = next.invoke(target, method, own);
        } catch (InvocationTargetException e) {
            if (own != null && Stream.of(own).anyMatch(argument -> isAnswered(call, argument, e))) {
                return null; // what the failed method had to say comes too late
            }
            throw translated(call, e);
        }
        return result instanceof CompletionStage<?> stage ? follow(call, stage) : result;
    }

    private static boolean isAnswered(CallScope call, Object argument, InvocationTargetException failure) {
        return argument instanceof SseEventSink sink
                ? call.isCancelled()
                        && sink.isClosed()
                        && (Consequence.of(call, failure) || isOfAClosedSink(failure.getCause()))
                : argument instanceof CallAsyncResponse response && !response.fails();
    }

    /** Jersey's sinks throw it at whoever sends; closing it has ended the response. */
    private static boolean isOfAClosedSink(@Nullable Throwable failure) {
        return failure instanceof IllegalStateException
                && Stream.of(failure.getStackTrace()).limit(1).anyMatch(top -> top.getClassName()
                        .startsWith("org.glassfish.jersey.media.sse."));
    }

    /** What the cancel has made the method throw is told as the cancel, to the mappers of the application's, too. */
    private static InvocationTargetException translated(CallScope call, InvocationTargetException thrown) {
        Throwable cause = thrown.getCause();
        if (cause == null || cause instanceof CallCancelledException || !Consequence.of(call, cause)) {
            return thrown;
        }
        CallCancelledException cancelled = Cancelled.exception(call);
        cancelled.initCause(cause);
        return new InvocationTargetException(cancelled);
    }

    private Object[] own(CallScope call, Object[] arguments) {
        Object[] own = arguments;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof AsyncResponse response) {
                own = own == arguments ? arguments.clone() : own;
                own[i] = suspended(call, response);
            } else if (arguments[i] instanceof SseEventSink sink) {
                sinks.follow(call, sink);
            }
        }
        return own;
    }

    private CallAsyncResponse suspended(CallScope call, AsyncResponse response) {
        CallAsyncResponse own =
                new CallAsyncResponse(calls, call, response, type -> Injections.getOrCreate(injection, type)).follow();
        injection.getInstance(ContainerRequest.class).setProperty(RequestCalls.DISCONNECTION, own.disconnection());
        return own;
    }

    /**
     * What Jersey waits for in place of the application's stage, which is the application's, and perhaps others' too: a cancel ends
     * the waiting only. Nothing is asked of the stage but to tell: one of the JDK's own, which is a future, refuses all else.
     */
    private static CompletionStage<?> follow(CallScope call, CompletionStage<?> stage) {
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (call.isCancelled()) {
                answer.completeExceptionally(Cancelled.exception(call)); // whatever the cancel has made of the work
            } else if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(value);
            }
        });
        if (!answer.isDone()) {
            call.completer(() -> answer.completeExceptionally(Cancelled.exception(call)));
        }
        return answer;
    }
}
