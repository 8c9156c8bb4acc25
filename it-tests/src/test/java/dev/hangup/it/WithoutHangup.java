package dev.hangup.it;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tests' class path as a stand-alone server would have it: the container, but nothing of Hangup, neither its classes
 * nor its service files, so that a WAR has them from its own WEB-INF/lib or not at all.
 */
final class WithoutHangup extends ClassLoader {

    WithoutHangup() {
        super("container", WithoutHangup.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("dev.hangup.")) {
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
        all.removeIf(url -> url.getPath().contains("hangup-filter")
                || url.getPath().contains("/filter/target/")
                || url.getPath().contains("/dev/hangup/"));
        return all;
    }
}
