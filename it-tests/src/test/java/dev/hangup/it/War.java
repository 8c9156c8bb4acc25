package dev.hangup.it;

import dev.hangup.Hangup;
import dev.hangup.jersey.HangupFeature;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Objects;
import javassist.util.proxy.ProxyFactory;
import org.aopalliance.intercept.MethodInterceptor;
import org.glassfish.hk2.api.ServiceLocator;
import org.glassfish.hk2.osgiresourcelocator.ServiceLoader;
import org.glassfish.hk2.utilities.reflection.ReflectionHelper;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.inject.hk2.Hk2InjectionManagerFactory;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.media.sse.SseFeature;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.glassfish.jersey.servlet.async.AsyncContextDelegateProviderImpl;
import org.jvnet.hk2.internal.ServiceLocatorImpl;

/**
 * An exploded WAR: the packaged {@code hangup-filter.jar}, as users get it, in {@code WEB-INF/lib}, and some of the tests'
 * classes in {@code WEB-INF/classes}. Those classes are loaded anew by the application's own loader: they share no statics
 * with the test, and are spoken to over HTTP alone.
 */
record War(Path directory) {

    private static final String EMPTY_WEB_XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0"/>
            """;

    /**
     * Writes the WAR with an empty {@code web.xml}.
     *
     * @param directory an empty directory, for example JUnit's {@code @TempDir}
     * @param classes what goes into {@code WEB-INF/classes}, each without its nested classes
     */
    static War in(Path directory, Class<?>... classes) throws IOException {
        Path webInf = directory.resolve("WEB-INF");
        Path lib = Files.createDirectories(webInf.resolve("lib"));
        Files.copy(jar(Hangup.class), lib.resolve("hangup-filter.jar"));
        for (Class<?> type : classes) {
            String name = type.getName().replace('.', '/') + ".class";
            Path target = webInf.resolve("classes").resolve(name);
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            try (InputStream bytes = type.getResourceAsStream("/" + name)) {
                Files.copy(Objects.requireNonNull(bytes, name), target);
            }
        }
        return new War(directory).webXml(EMPTY_WEB_XML);
    }

    /** Replaces the {@code WEB-INF/web.xml}. */
    War webXml(String xml) throws IOException {
        return file("WEB-INF/web.xml", xml);
    }

    /** Adds a text file, for example {@code WEB-INF/classes/hangup.yaml}, or replaces it. */
    War file(String path, String text) throws IOException {
        Path target = directory.resolve(path);
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Files.writeString(target, text, StandardCharsets.UTF_8);
        return this;
    }

    /** Adds Jersey, as it is on the tests' class path, and the extension's jar under test. */
    War jersey() throws IOException {
        Path lib = directory.resolve("WEB-INF/lib");
        List<Class<?>> oneOfEach = List.of(
                HangupFeature.class,
                ServletContainer.class,
                AsyncContextDelegateProviderImpl.class,
                ResourceConfig.class,
                ClientConfig.class,
                InjectionManager.class,
                Hk2InjectionManagerFactory.class,
                SseFeature.class,
                ServiceLocator.class,
                ServiceLocatorImpl.class,
                ReflectionHelper.class,
                MethodInterceptor.class,
                ServiceLoader.class,
                ProxyFactory.class,
                Application.class,
                Inject.class);
        for (Class<?> type : oneOfEach) {
            Path jar = jar(type);
            Path target = lib.resolve(Objects.requireNonNull(jar.getFileName()).toString());
            if (!Files.exists(target)) {
                Files.copy(jar, target);
            }
        }
        return this;
    }

    /** The jar that has this class: of Hangup's the one that is under test, during {@code mvn verify} packaged and shaded by its module. */
    private static Path jar(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        Path jar = Path.of(URI.create(source.getLocation().toString()));
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("the WAR needs the packaged jar, and there is only " + jar
                    + ": run the tests by mvn verify, not by mvn test");
        }
        return jar;
    }
}
