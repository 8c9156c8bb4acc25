package dev.hangup.watch;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.net.ExtendedSocketOptions;

/**
 * TCP keep-alive of our own on a connection while a call has it: a host that vanished without a FIN is given up by the kernel
 * after {@code idle + count * interval}, unless bytes of ours are under way to it, for which the kernel has other, longer
 * timeouts.
 *
 * @param idle silence before the first probe; whole seconds
 * @param interval between probes; whole seconds
 * @param count of unanswered probes after which the host is dead
 */
public record Probes(Duration idle, Duration interval, int count) {

    /**
     * Turns it on. Within the peer lock.
     *
     * @return puts back what was there before; to be run once, before the container uses the connection for anything else
     */
    Runnable begin(NetworkChannel channel) {
        List<Old<?>> before = new ArrayList<>(4);
        try {
            set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, (int) idle.toSeconds(), before);
            set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, (int) interval.toSeconds(), before);
            set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, count, before);
            // Last, so that it never runs with the system's two hours, and first to be put back.
            set(channel, StandardSocketOptions.SO_KEEPALIVE, true, before);
        } catch (IOException e) {
            return () -> restore(channel, before); // closed by the container just now
        }
        return () -> restore(channel, before);
    }

    /** Whether this system can. */
    static boolean isSupported(NetworkChannel channel) {
        return channel.supportedOptions()
                .containsAll(List.of(
                        StandardSocketOptions.SO_KEEPALIVE,
                        ExtendedSocketOptions.TCP_KEEPIDLE,
                        ExtendedSocketOptions.TCP_KEEPINTERVAL,
                        ExtendedSocketOptions.TCP_KEEPCOUNT));
    }

    private static <T> void set(NetworkChannel channel, SocketOption<T> option, T value, List<Old<?>> before)
            throws IOException {
        before.add(0, new Old<>(option, channel.getOption(option)));
        channel.setOption(option, value);
    }

    private static void restore(NetworkChannel channel, List<Old<?>> before) {
        for (Old<?> old : before) {
            try {
                old.putBack(channel);
            } catch (IOException e) {
                return; // closed: the options went with it
            }
        }
    }

    private record Old<T>(SocketOption<T> option, T value) {
        void putBack(NetworkChannel channel) throws IOException {
            channel.setOption(option, value);
        }
    }
}
