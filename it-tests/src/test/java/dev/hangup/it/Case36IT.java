package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;

/** In a Spring Boot jar, loading a class on an interrupted thread closes the nested jar for good: none of ours may be loaded then. */
final class Case36IT {

    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final String POLICY = """
            settings: { escalate-after: 200ms }
            deadlines: { endpoints: { "GET /late/{how}": { mode: cancel, normal: 300ms } } }
            """;
    private static final List<String> WAYS =
            List.of("throw", "checkpoint", "parameter", "write", "error", "async", "child", "shield", "hook", "part");

    private final Queue<String> loadedInterrupted = new ConcurrentLinkedQueue<>();

    @EachContainer
    @DisplayName("case 36: no class of ours is loaded on an interrupted thread")
    void noneIsLoadedOnAnInterruptedThread(ContainerKind kind) throws Exception {
        try (Silence silence = Silence.ofContainers();
                Recording loader = new Recording()) {
            Filter filter = (Filter)
                    loader.loadClass("dev.hangup.HangupFilter").getConstructor().newInstance();
            assertThat(filter.getClass().getClassLoader()).isSameAs(loader);
            Site site = new Site().initializer(context -> {
                FilterRegistration.Dynamic registration = context.addFilter("hangup", filter);
                registration.setInitParameter("policy", POLICY);
                registration.setAsyncSupported(true);
                registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
            });
            Class<?> call = loader.loadClass("dev.hangup.call.Call");
            try (Container container = kind.start(
                    site.servlet("/late/*", new LambdaServlet((request, response) -> work(call, request, response))))) {
                for (String way : WAYS) {
                    assertThat(RawClient.ask(container, "/late/" + way).status())
                            .as(way)
                            .isEqualTo(504);
                }
            }
        }
        assertThat(loadedInterrupted).isEmpty();
    }

    /** Answers the interrupt by setting it again, and goes on with it in every way there is. */
    private static void work(Class<?> type, HttpServletRequest request, HttpServletResponse response) throws Exception {
        String way = request.getPathInfo().substring(1);
        Object call = type.getMethod("current").invoke(null);
        if (way.equals("async")) {
            request.startAsync();
        }
        try {
            NEVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            try {
                goOn(way, type, call, request, response);
            } catch (InvocationTargetException failure) {
                throw failure.getCause() instanceof Exception cause ? cause : failure;
            }
        }
    }

    private static void goOn(
            String way, Class<?> type, Object call, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        switch (way) {
            case "checkpoint" -> type.getMethod("throwIfCancelled").invoke(call);
            case "parameter" -> request.getParameter("x");
            case "part" -> request.getParts();
            case "write" -> response.getWriter().print("anyway");
            case "error" -> response.sendError(500);
            case "child" -> ((Runnable) type.getMethod("wrap", Runnable.class).invoke(call, (Runnable) () -> {})).run();
            case "shield" ->
                type.getMethod("shield", java.util.concurrent.Callable.class)
                        .invoke(call, (java.util.concurrent.Callable<String>) () -> "");
            case "hook" ->
                type.getMethod("onCancel", java.util.function.Consumer.class)
                        .invoke(call, (java.util.function.Consumer<Object>) reason -> {});
            default -> throw new IOException(new InterruptedException());
        }
    }

    /** Loads our classes itself, and notes those that an interrupted thread asks for. */
    private final class Recording extends URLClassLoader {

        Recording() {
            super(path(), Case36IT.class.getClassLoader());
        }

        private static URL[] path() {
            String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            return Arrays.stream(path.split(File.pathSeparator))
                    .map(Recording::url)
                    .toArray(URL[]::new);
        }

        private static URL url(String entry) {
            try {
                return new File(entry).toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.hangup.") || name.startsWith("dev.hangup.it.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known == null) {
                    // Our own threads are interrupted to end them.
                    if (Thread.currentThread().isInterrupted()
                            && !Thread.currentThread().getName().startsWith("hangup-")) {
                        loadedInterrupted.add(name);
                    }
                    known = findClass(name);
                }
                return known;
            }
        }
    }
}
