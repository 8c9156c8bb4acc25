package dev.hangup.watch.linux;

import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch;
import dev.hangup.watch.CallerWatch.UnwatchableException;
import dev.hangup.watch.Requests;
import dev.hangup.watch.Route;
import jakarta.servlet.ServletRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Watches the callers of any container by the addresses that the request gives. Filters and valves may have rewritten those: so
 * only a connection that the table lists under them is watched. Asked last; stateless.
 */
public final class TableSource implements CallerWatch.Source {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    @Override
    public String name() {
        return "socket table";
    }

    @Override
    public @Nullable CallerWatch open(Object given) throws UnwatchableException {
        if (!(Requests.unwrap(given) instanceof ServletRequest request)) {
            return null;
        }
        String protocol = String.valueOf(request.getProtocol());
        if (!protocol.startsWith("HTTP/1")) {
            throw new UnwatchableException(Unwatched.HTTP_2, "protocol " + protocol); // others share the connection
        }
        InetSocketAddress local = end(request.getLocalAddr(), request.getLocalPort());
        InetSocketAddress remote = end(request.getRemoteAddr(), request.getRemotePort());
        return local == null || remote == null ? null : new Listed(new Route(local, remote));
    }

    /** Null if it is no address: a header may have put a name there, or anything else, and no name is ever looked up. */
    private static @Nullable InetSocketAddress end(@Nullable String address, int port) {
        if (address == null || port <= 0 || port > 0xFFFF) {
            return null;
        }
        String bare =
                address.startsWith("[") && address.endsWith("]") ? address.substring(1, address.length() - 1) : address;
        int scope = bare.indexOf('%');
        String literal = scope < 0 ? bare : bare.substring(0, scope);
        // What has a colon is never taken for a name.
        if (literal.indexOf(':') < 0 && !IPV4.matcher(literal).matches()) {
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(literal), port);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private record Listed(Route route) implements CallerWatch {
        @Override
        public @Nullable SocketChannel channel() {
            return null;
        }

        @Override
        public Verdict look() {
            return Verdict.AMBIGUOUS;
        }

        @Override
        public Unwatched unlisted() {
            return Unwatched.UNKNOWN_CONTAINER;
        }
    }
}
