package dev.hangup.policy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A range of IP addresses in CIDR notation (RFC 4632), {@code 10.0.0.0/8} or {@code fd00::/8}; an address alone is a range of one.
 * An IPv4 address that is mapped into IPv6 ({@code ::ffff:10.0.0.1}) is that IPv4 address. No name is ever looked up. Immutable.
 */
public final class Network {

    private static final String EXPECTED = "an address or a range such as 127.0.0.0/8, 10.1.2.3 or fd00::/8";
    /** Exactly: what Java takes for a name, it looks up. */
    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");

    private static final Pattern IPV6 = Pattern.compile("(?=.*:)[0-9A-Fa-f:][0-9A-Fa-f:.]{1,44}");
    private static final Pattern BITS = Pattern.compile("0|[1-9][0-9]{0,2}");
    private static final int MAPPED = 96;
    private static final int V4_BITS = 32;
    private static final int V6_BITS = 128;

    private final byte[] prefix;
    private final int bits;
    private final String text;

    private Network(byte[] prefix, int bits, String text) {
        this.prefix = prefix;
        this.bits = bits;
        this.text = text;
    }

    /**
     * Reads a range.
     *
     * @throws IllegalArgumentException if it is none, or if an address is not the first of its range
     */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] bytes = address(text, address);
        // Java gives a mapped address as the IPv4 address that it is.
        boolean mapped = bytes.length * Byte.SIZE == V4_BITS && address.indexOf(':') >= 0;
        int bits = slash < 0 ? bytes.length * Byte.SIZE : bits(text, text.substring(slash + 1), bytes, mapped);
        byte[] first = masked(bytes, bits);
        if (!Arrays.equals(first, bytes)) {
            throw new MalformedValue(
                    text, "not the first address of its range", shown(first) + "/" + bits + ", or the address alone");
        }
        return new Network(bytes, bits, text);
    }

    /** Whether the address is one of these. Looks nothing up. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != prefix.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (bytes[i] != prefix[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || ((bytes[whole] ^ prefix[whole]) & 0xFF) >>> (Byte.SIZE - rest) == 0;
    }

    private static byte[] address(String text, String address) {
        if (IPV4.matcher(address).matches() || IPV6.matcher(address).matches()) {
            try {
                return InetAddress.getByName(address).getAddress();
            } catch (UnknownHostException malformed) {
                throw new MalformedValue(text, "not an address", EXPECTED);
            }
        }
        throw new MalformedValue(text, text.isEmpty() ? "no value" : "not an address", EXPECTED);
    }

    private static int bits(String text, String number, byte[] bytes, boolean mapped) {
        int most = mapped ? V6_BITS : bytes.length * Byte.SIZE;
        int least = mapped ? MAPPED : 0;
        int bits = BITS.matcher(number).matches() ? Integer.parseInt(number) : -1;
        if (bits < least || bits > most) {
            throw new MalformedValue(
                    text, "not a number of bits from " + least + " to " + most + " after the slash", EXPECTED);
        }
        return bits - least;
    }

    private static byte[] masked(byte[] bytes, int bits) {
        byte[] first = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            int kept = Math.max(0, Math.min(Byte.SIZE, bits - i * Byte.SIZE));
            first[i] = (byte) (bytes[i] & (0xFF00 >> kept));
        }
        return first;
    }

    private static String shown(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // four bytes or sixteen
        }
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }
}
