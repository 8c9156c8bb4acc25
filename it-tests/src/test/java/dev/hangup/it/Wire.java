package dev.hangup.it;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** How callers are connected to a container. */
public enum Wire {
    /** HTTP/1.1 without TLS, on Tomcat over NIO. */
    PLAIN,
    /** HTTP/1.1 over TLS 1.3, with the certificate of {@link #keyStore}. */
    TLS,
    /** The same over TLS 1.2. */
    TLS_12,
    /** HTTP/1.1 over Tomcat's NIO2 connector. */
    NIO2,
    /** The same connector with TLS 1.3. */
    NIO2_TLS,
    /** HTTP/2 without TLS, known beforehand or by upgrade from HTTP/1.1. */
    H2C,
    /** HTTP/2 over TLS. */
    H2,
    /** What a web server speaks to Tomcat behind it. */
    AJP;

    static final String PASSWORD = "changeit";

    private static @Nullable Path keyStore;

    public boolean isSecure() {
        return this == TLS || this == TLS_12 || this == NIO2_TLS || this == H2;
    }

    /** A self-signed certificate for localhost, made once for this JVM by its own keytool. */
    public static synchronized Path keyStore() {
        Path made = keyStore;
        if (made == null) {
            made = make();
            keyStore = made;
        }
        return made;
    }

    /** The same connection, with TLS on it; trusts everybody. */
    public Socket secure(Socket plain) throws IOException {
        SSLSocket socket =
                (SSLSocket) trusting().getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
        socket.setEnabledProtocols(new String[] {this == TLS_12 ? "TLSv1.2" : "TLSv1.3"});
        socket.startHandshake();
        return socket;
    }

    /** For clients that believe whoever the server claims to be. */
    public static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Trusting()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Trusting extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static Path make() {
        try {
            Path directory = Files.createTempDirectory("keys");
            Path file = directory.resolve("localhost.p12");
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "localhost",
                            "-dname",
                            "CN=localhost",
                            "-ext",
                            "san=dns:localhost,ip:127.0.0.1",
                            "-keyalg",
                            "EC",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            file.toString(),
                            "-storepass",
                            PASSWORD)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException("keytool fails: " + output);
            }
            file.toFile().deleteOnExit();
            directory.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new IllegalStateException("no certificate for the tests: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
