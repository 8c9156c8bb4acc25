package dev.hangup.jersey;

import dev.hangup.call.Call;
import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallScope;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Route;
import jakarta.servlet.RequestDispatcher;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ExtendedUriInfo;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.jspecify.annotations.Nullable;

/**
 * Which call a request is: looked up once, on the container's thread, before anything of the application's has run, and kept with
 * the request, for whoever works on it later on another thread. And which endpoint, told to the call once Jersey has matched it.
 */
final class RequestCalls implements ApplicationEventListener, RequestEventListener {
    /** Of the request: its call. */
    static final String PROPERTY = "dev.hangup.jersey.call";
    /** Of the request: who is to be told that the caller of its suspended response has left. */
    static final String DISCONNECTION = "dev.hangup.jersey.disconnection";
    /** Of the request: its response, if its call may be cancelled and nothing guards it. */
    static final String UNGUARDED = "dev.hangup.jersey.unguarded";
    /** Of the request: it is answered in chunks. */
    static final String CHUNKS = "dev.hangup.jersey.chunks";

    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final InjectionManager injection;
    /** Written while the application starts. */
    private volatile @Nullable Deployment deployment;

    private volatile @Nullable Endpoints endpoints;

    /** Written by the thread that ends the application, or starts it. */
    private volatile boolean over;

    private final AtomicBoolean said = new AtomicBoolean();

    RequestCalls(InjectionManager injection) {
        this.injection = injection;
    }

    /** The request's call, or null where no filter of ours is in front. Any thread. */
    static @Nullable CallScope of(ContainerRequestContext request) {
        return (CallScope) request.getProperty(PROPERTY);
    }

    /** The call that the current thread works for, in a request's scope or attached to it; null if there is none. */
    @Nullable
    CallScope current() {
        CallScope attached = CallScope.current();
        if (attached != null) {
            return attached;
        }
        try {
            ContainerRequest request = injection.getInstance(ContainerRequest.class);
            return request == null ? null : of(request);
        } catch (RuntimeException outsideOfAnyRequest) {
            return null;
        }
    }

    /** As {@link #current}; where there is none, one that is never cancelled. */
    Call call() {
        CallScope call = current();
        return call == null ? Call.current() : call;
    }

    /** The policy in force. */
    Policy policy() {
        Deployment here = deployment;
        Policy policy = here == null ? null : here.policy();
        return policy == null ? Policy.defaults() : policy;
    }

    /**
     * Whether Jersey has been taken away: it answers nothing any more. A container may end servlets before filters, whose shutdown cancels
     * what is at work.
     */
    boolean isOver() {
        return over;
    }

    /** When Jersey has made its model of the application; what is thrown here ends its start. */
    @Override
    public void onEvent(ApplicationEvent event) {
        over = event.getType() == ApplicationEvent.Type.DESTROY_FINISHED;
        if (event.getType() == ApplicationEvent.Type.INITIALIZATION_APP_FINISHED) {
            Deployment found = Deployment.of(injection);
            AnnotatedModel.register(event.getResourceModel().getResources(), found);
            if (found != null) {
                deployment = found;
                endpoints = new Endpoints(found);
            }
        }
    }

    @Override
    public @Nullable RequestEventListener onRequest(RequestEvent start) {
        CallScope call = CallScope.current();
        if (call == null) {
            sayThatNoneIsInFront();
            return null;
        }
        ContainerRequest request = start.getContainerRequest();
        request.setProperty(PROPERTY, call);
        return isPart(request) ? null : this;
    }

    /** What is included in a page, or is the page of an error, answers for a part of the call at most: the endpoint is whoever asked for it. */
    private static boolean isPart(ContainerRequest request) {
        return request.getProperty(RequestDispatcher.INCLUDE_REQUEST_URI) != null
                || request.getProperty(RequestDispatcher.ERROR_STATUS_CODE) != null;
    }

    /** Unless there is one, whose policy is off. */
    private void sayThatNoneIsInFront() {
        if (!said.get() && said.compareAndSet(false, true)) {
            Deployment here = deployment;
            if (here == null || here.policy() == null) {
                LOG.log(
                        Level.WARNING,
                        "no filter of Hangup's is in front of this Jersey application: resources run as if hangup-jersey-ext were not there");
            }
        }
    }

    @Override
    public void onEvent(RequestEvent event) {
        if (event.getType() == RequestEvent.Type.REQUEST_MATCHED) {
            matched(event);
        } else if (event.getType() == RequestEvent.Type.EXCEPTION_MAPPER_FOUND) {
            mapped(event);
        } else if (event.getType() == RequestEvent.Type.FINISHED
                && event.getUriInfo().getMatchedResourceMethod() == null) {
            unmatched(event);
        }
    }

    /** The application answers the cancel itself: through the filter, which refuses everything else by then. */
    private static void mapped(RequestEvent event) {
        ContainerRequest request = event.getContainerRequest();
        CallScope call = of(request);
        if (call != null
                && call.isGuarded()
                && call.isCancelled()
                && isCancel(event.getException())
                && !(event.getExceptionMapper() instanceof CancelledMapper)) {
            request.setWriter(new OwnAnswer(call, request.getResponseWriter()));
        }
    }

    /** As thrown, or as Jersey has wrapped it. */
    private static boolean isCancel(Throwable thrown) {
        return thrown instanceof CallCancelledException || thrown.getCause() instanceof CallCancelledException;
    }

    private void matched(RequestEvent event) {
        CallScope call = of(event.getContainerRequest());
        ExtendedUriInfo uri = event.getUriInfo();
        ResourceMethod method = uri.getMatchedResourceMethod();
        Deployment here = deployment;
        Endpoints known = endpoints;
        Policy policy = here == null ? null : here.policy();
        if (call != null && method != null && known != null && policy != null) {
            known.of(uri, method).reached(call, policy);
        }
    }

    /**
     * No pattern of a servlet mapping: it would be one name for whatever Jersey does not serve. Nor an annotated template that it looks
     * like, whose code it has not reached: whoever serves it next, where Jersey is a filter, has not asked to be cancelled.
     */
    private void unmatched(RequestEvent event) {
        ContainerRequest request = event.getContainerRequest();
        CallScope call = of(request);
        Deployment here = deployment;
        Policy policy = here == null ? null : here.policy();
        if (call != null && policy != null) {
            Route.missed(call, policy, request.getMethod());
        }
    }
}
