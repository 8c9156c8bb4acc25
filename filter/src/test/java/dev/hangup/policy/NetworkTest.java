package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NetworkTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.0/8, 127.0.0.1, true",
        "127.0.0.0/8, 127.255.255.255, true",
        "127.0.0.0/8, 128.0.0.0, false",
        "127.0.0.0/8, 126.255.255.255, false",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.2, false",
        "10.1.2.3/32, 10.1.2.3, true",
        "10.1.2.4/30, 10.1.2.7, true",
        "10.1.2.4/30, 10.1.2.8, false",
        "10.1.2.4/30, 10.1.2.3, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, ::1, false",
        "172.16.0.0/12, 172.31.255.255, true",
        "172.16.0.0/12, 172.32.0.0, false",
        "192.168.128.0/17, 192.168.127.255, false",
        "::1, ::1, true",
        "::1, ::2, false",
        "::1, 127.0.0.1, false",
        "fd00::/8, fd12:3456::1, true",
        "fd00::/8, fc00::1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "::/0, 2001:db8::1, true",
        "::/0, 10.0.0.1, false",
        "::ffff:10.0.0.0/104, 10.1.2.3, true",
        "::ffff:10.0.0.0/104, 11.1.2.3, false",
        "::ffff:10.1.2.3, 10.1.2.3, true",
        "::ffff:0:0/96, 203.0.113.9, true",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
        "fe80::/10, fe80::1%lo, true",
    })
    void contains(String range, String address, boolean inside) throws UnknownHostException {
        // A scope needs an interface of this name, which not every machine has.
        String bare = address.replaceFirst("%.*", "");
        assertThat(Network.parse(range).contains(InetAddress.getByName(bare))).isEqualTo(inside);
    }

    /** As a socket may tell it. */
    @Test
    void aScopeChangesNothing() throws UnknownHostException {
        byte[] linkLocal = InetAddress.getByName("fe80::1").getAddress();
        assertThat(Network.parse("fe80::/10").contains(Inet6Address.getByAddress(null, linkLocal, 3)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|no value",
                "localhost|not an address",
                "a.example.com/8|not an address",
                "cafe|not an address",
                "10.0.0|not an address",
                "10.0.0.0.0|not an address",
                "10.0.0.256|not an address",
                "10.0.0.01|not an address",
                "999.1.1.1|not an address",
                "1|not an address",
                "0x7f000001|not an address",
                "10.0.0.0/|not a number of bits from 0 to 32 after the slash",
                "10.0.0.0/33|not a number of bits from 0 to 32 after the slash",
                "10.0.0.0/-1|not a number of bits from 0 to 32 after the slash",
                "10.0.0.0/08|not a number of bits from 0 to 32 after the slash",
                "10.0.0.0/8/8|not a number of bits from 0 to 32 after the slash",
                "10.0.0.0/255.0.0.0|not a number of bits from 0 to 32 after the slash",
                "10.0.0.1/8|not the first address of its range; expected 10.0.0.0/8, or the address alone",
                "fd00::1/8|not the first address of its range; expected fd00:0:0:0:0:0:0:0/8, or the address alone",
                "fd00::/129|not a number of bits from 0 to 128 after the slash",
                "::ffff:10.0.0.0/95|not a number of bits from 96 to 128 after the slash",
                "fe80::1%lo|not an address",
                "[::1]|not an address",
                ":::|not an address",
                "1:2:3:4:5:6:7:8:9|not an address",
                "g::1|not an address",
                "' 10.0.0.0/8'|not an address",
            })
    void isRefused(String text, String problem) {
        assertThatThrownBy(() -> Network.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(": " + problem);
    }
}
