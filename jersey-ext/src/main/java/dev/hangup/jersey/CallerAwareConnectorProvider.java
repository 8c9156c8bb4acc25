package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ResponseProcessingException;
import jakarta.ws.rs.core.Configuration;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.ClientRequest;
import org.glassfish.jersey.client.ClientResponse;
import org.glassfish.jersey.client.HttpUrlConnectorProvider;
import org.glassfish.jersey.client.spi.AsyncConnectorCallback;
import org.glassfish.jersey.client.spi.Connector;
import org.glassfish.jersey.client.spi.ConnectorProvider;
import org.jspecify.annotations.Nullable;

/**
 * Jersey's default connector with connections that are broken off when the call is cancelled for which they were opened, so that
 * whoever was asked can stop, too; register {@link CallerAwareClientFilter} beside it. So they are when the future of an
 * {@code async()} or {@code rx()} request is cancelled, within 100 ms.
 *
 * <p>All properties of the default connector hold, and chunked and fixed-length requests, 100-continue and proxies are as ever. What
 * is different comes of {@code java.net.http}, over which the requests go: the reason phrase of an answer is that of its status; any
 * method can be sent; a {@code HostnameVerifier} is refused, for none can be honoured. Connections are kept and used again; no
 * request of another call is ever hit.
 */
public final class CallerAwareConnectorProvider implements ConnectorProvider {

    /** @throws IllegalStateException if the client has a {@code HostnameVerifier} */
    @Override
    public Connector getConnector(Client client, Configuration configuration) {
        if (client.getHostnameVerifier() != null) {
            throw new IllegalStateException(
                    "the client has a HostnameVerifier, which this connector would have to ignore");
        }
        Connections connections = new Connections(client::getSslContext);
        return new Legs(
                new HttpUrlConnectorProvider().connectionFactory(connections).getConnector(client, configuration));
    }

    private record Legs(Connector connector) implements Connector {

        @Override
        public ClientResponse apply(ClientRequest request) {
            Leg leg = leg(request);
            Connections.Asking outer = Connections.enter(asking(request, leg));
            try {
                return connector.apply(request);
            } catch (RuntimeException | Error e) {
                failed(leg, e);
                throw e;
            } finally {
                Connections.enter(outer);
            }
        }

        /** On the thread that Jersey has for it; the default connector knows no other way, and has called back when it returns. */
        @Override
        public Future<?> apply(ClientRequest request, AsyncConnectorCallback callback) {
            Leg leg = leg(request);
            Connections.Asking outer = Connections.enter(asking(request, leg));
            try (Revocation revocation = Revocation.of(request, leg)) {
                return connector.apply(request, new AsyncConnectorCallback() {
                    @Override
                    public void response(ClientResponse response) {
                        callback.response(response);
                    }

                    @Override
                    public void failure(Throwable failure) {
                        failed(leg, failure);
                        callback.failure(failure);
                    }
                });
            } finally {
                Connections.enter(outer);
            }
        }

        /** What is under way is of no use any more, unless the failure brings the answer with it. */
        private static void failed(Leg leg, Throwable failure) {
            if (!(failure instanceof ResponseProcessingException)) {
                leg.stop(failure instanceof Exception e ? e : new IOException(failure));
            }
        }

        private static Connections.Asking asking(ClientRequest request, Leg leg) {
            @SuppressWarnings("unchecked") // as the property says
            Supplier<SSLContext> tls = request.resolveProperty(ClientProperties.SSL_CONTEXT_SUPPLIER, Supplier.class);
            return new Connections.Asking(leg, tls);
        }

        /** Without the filter nobody says how long it may take. */
        private static Leg leg(ClientRequest request) {
            @Nullable Leg given = (Leg) request.getProperty(Leg.PROPERTY);
            if (given != null) {
                return given;
            }
            Leg.Own own = new Leg.Own(
                    request.resolveProperty(ClientProperties.CONNECT_TIMEOUT, 0),
                    request.resolveProperty(ClientProperties.READ_TIMEOUT, 0));
            return Leg.unlimited(CallScope.current(), own);
        }

        @Override
        public String getName() {
            return connector.getName();
        }

        @Override
        public void close() {
            connector.close();
        }
    }
}
