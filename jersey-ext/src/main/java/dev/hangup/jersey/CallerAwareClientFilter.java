package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import dev.hangup.policy.DeadlineHeader;
import dev.hangup.policy.DeadlineHeaders;
import dev.hangup.policy.Policy;
import jakarta.annotation.Priority;
import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.core.MultivaluedMap;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.spi.PostInvocationInterceptor;
import org.glassfish.jersey.client.spi.PreInvocationInterceptor;

/**
 * Gives each request of a Jersey client the time that it has, and tells it to whoever is asked:
 *
 * <pre>{@code
 * Client client = ClientBuilder.newClient(new ClientConfig()
 *         .connectorProvider(new CallerAwareConnectorProvider())
 *         .register(new CallerAwareClientFilter(hangup::policy)));
 * }</pre>
 *
 * <ul>
 *   <li>The time is the timeout of the request's source in the window in force, found by its host, or what is left of the call's
 *       deadline if that is less. It goes into a header, {@code x-request-timeout-ms} unless another is named, and becomes the
 *       request's connect and read timeouts, unless these are shorter already.
 *   <li>A request for which no time is left, or whose call is cancelled, is not sent.
 *   <li>Which call it is, is seen where the request is begun; {@code async()} and {@code rx()} take it along.
 * </ul>
 *
 * A failure is a {@link ProcessingException}, as from any JAX-RS client; its cause is a
 * {@link dev.hangup.policy.SourceTimeoutException} or a {@link dev.hangup.call.CallCancelledException}. With any connector; but only
 * {@link CallerAwareConnectorProvider}'s breaks off a request that is under way when its call is cancelled, and holds the time over
 * the answer as a whole instead of each read. Outside of a call only the source's timeout counts. Immutable; any thread.
 */
@ConstrainedTo(RuntimeType.CLIENT)
@Priority(CallerAwareClientFilter.LAST)
public final class CallerAwareClientFilter
        implements ClientRequestFilter, PreInvocationInterceptor, PostInvocationInterceptor {
    /** After whatever takes time or changes the address. */
    static final int LAST = 9_000;

    /** The header in which the time is told unless another is named. */
    public static final String DEADLINE_HEADER = "x-request-timeout-ms";

    private static final String CALL = "dev.hangup.jersey.client.call";

    private final Supplier<Policy> policy;
    private final DeadlineHeader header;

    /** A filter without a policy: only the call's deadline counts. */
    public CallerAwareClientFilter() {
        this(Policy::defaults);
    }

    /** @param policy asked for each request, so that a reloaded one counts: {@code hangup::policy} */
    public CallerAwareClientFilter(Supplier<Policy> policy) {
        this(policy, DeadlineHeaders.named(DEADLINE_HEADER));
    }

    private CallerAwareClientFilter(Supplier<Policy> policy, DeadlineHeader header) {
        this.policy = policy;
        this.header = header;
    }

    /**
     * This filter, telling the time in another header.
     *
     * @param name as in a policy: {@code x-request-timeout-ms}, {@code grpc-timeout}
     * @throws IllegalArgumentException if there is no such header
     */
    public CallerAwareClientFilter withDeadlineHeader(String name) {
        return new CallerAwareClientFilter(policy, DeadlineHeaders.named(name));
    }

    /** On the thread that begins the request, whichever sends it. */
    @Override
    public void beforeRequest(ClientRequestContext request) {
        CallScope call = CallScope.current();
        if (call != null) {
            request.setProperty(CALL, call);
        } else {
            request.removeProperty(CALL); // of an earlier use of the same invocation
        }
    }

    /**
     * On the thread that sends the request.
     *
     * @throws dev.hangup.policy.SourceTimeoutException if no time is left
     * @throws dev.hangup.call.CallCancelledException if the call is cancelled
     */
    @Override
    public void filter(ClientRequestContext request) throws IOException {
        Leg leg = Leg.of(
                (CallScope) request.getProperty(CALL),
                policy.get(),
                request.getUri(),
                new Leg.Own(
                        own(request, ClientProperties.CONNECT_TIMEOUT), own(request, ClientProperties.READ_TIMEOUT)));
        leg.check();
        request.setProperty(Leg.PROPERTY, leg);
        Duration time = leg.time();
        Duration patience = leg.patience();
        if (time != null && patience != null) {
            tell(request.getHeaders(), time);
            shorten(request, ClientProperties.CONNECT_TIMEOUT, patience);
            shorten(request, ClientProperties.READ_TIMEOUT, patience);
        }
    }

    /** In place of what the request says of that itself; its other preferences stay. */
    private void tell(MultivaluedMap<String, Object> headers, Duration time) {
        List<String> lines = new ArrayList<>();
        for (String name : List.copyOf(headers.keySet())) {
            if (name.equalsIgnoreCase(header.field())) {
                headers.getOrDefault(name, List.of()).forEach(line -> lines.add(String.valueOf(line)));
                headers.remove(name);
            }
        }
        headers.put(header.field(), new ArrayList<>(DeadlineHeaders.told(header, lines, time)));
    }

    /** A timeout of the request's own holds if it is shorter; 0 is none. */
    private static void shorten(ClientRequestContext request, String property, Duration time) {
        long millis = Math.min(Math.max(1, time.plusNanos(999_999).toMillis()), Integer.MAX_VALUE);
        int own = own(request, property);
        if (own <= 0 || own > millis) {
            request.setProperty(property, (int) millis);
        }
    }

    /** In milliseconds. */
    private static int own(ClientRequestContext request, String property) {
        Object own = request.getProperty(property);
        if (own == null) {
            own = request.getConfiguration().getProperty(property);
        }
        return own == null ? 0 : Integer.parseInt(own.toString());
    }

    @Override
    public void afterRequest(ClientRequestContext request, ClientResponseContext response) {
        // an answer, on time
    }

    /** With another connector than ours, a failure does not say that it was for want of time. */
    @Override
    public void onException(ClientRequestContext request, ExceptionContext context) {
        Leg leg = (Leg) request.getProperty(Leg.PROPERTY);
        Deque<Throwable> failures = context.getThrowables();
        if (leg != null
                && failures.size() == 1
                && failures.getFirst().getCause() instanceof SocketTimeoutException late) {
            failures.clear();
            failures.add(new ProcessingException(leg.late(late)));
        }
    }
}
