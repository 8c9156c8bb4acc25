package dev.hangup.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** The certificate of {@link Wire#keyStore} as programs other than Java want it. */
final class Pem {

    private Pem() {}

    static String certificate() {
        return read((store, alias) ->
                block("CERTIFICATE", store.getCertificate(alias).getEncoded()));
    }

    static String key() {
        return read((store, alias) -> block(
                "PRIVATE KEY", store.getKey(alias, Wire.PASSWORD.toCharArray()).getEncoded()));
    }

    private interface Reading {
        String read(KeyStore store, String alias) throws GeneralSecurityException;
    }

    private static String read(Reading reading) {
        try {
            KeyStore store = KeyStore.getInstance(Wire.keyStore().toFile(), Wire.PASSWORD.toCharArray());
            return reading.read(store, store.aliases().nextElement());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String block(String name, byte[] content) {
        byte[] lineEnd = "\n".getBytes(StandardCharsets.US_ASCII);
        return "-----BEGIN " + name + "-----\n"
                + Base64.getMimeEncoder(64, lineEnd).encodeToString(content)
                + "\n-----END " + name + "-----\n";
    }
}
