package dev.hangup.it;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tests' class path as a stand-alone server would have it: the container, but nothing of Hangup and nothing of Jersey, neither
 * their classes nor their service files, so that a WAR has them from its own WEB-INF/lib or not at all.
 */
final class WithoutHangup extends ClassLoader {

    private static final List<String> PACKAGES =
            List.of("dev.hangup.", "org.glassfish.", "org.jvnet.hk2.", "jakarta.ws.rs.");

    private static final List<String> FILES = List.of(
            "hangup-filter", "/filter/target/", "hangup-jersey", "/jersey-ext/target/", "/dev/hangup/", "/jersey-");

    WithoutHangup() {
        super("container", WithoutHangup.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (PACKAGES.stream().anyMatch(name::startsWith)) {
            throw new ClassNotFoundException(name + " is hidden from the container");
        }
        return super.loadClass(name, resolve);
    }

    @Override
    public @Nullable URL getResource(String name) {
        try {
            List<URL> visible = visible(name);
            return visible.isEmpty() ? null : visible.get(0);
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return Collections.enumeration(visible(name));
    }

    private List<URL> visible(String name) throws IOException {
        List<URL> all = new ArrayList<>(Collections.list(getParent().getResources(name)));
        all.removeIf(url -> FILES.stream().anyMatch(url.getPath()::contains));
        return all;
    }
}
