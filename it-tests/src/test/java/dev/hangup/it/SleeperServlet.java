package dev.hangup.it;

import jakarta.servlet.FilterRegistration;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * For a WAR: {@code /sleep} and {@code /nap} sleep for 20 s or until it is interrupted, {@code /slept} says how many began and how many were
 * interrupted, {@code /filters} the classes of the application's filters.
 */
@WebServlet({"/sleep", "/nap", "/slept", "/filters"})
public final class SleeperServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getServletPath()) {
            case "/sleep", "/nap" -> sleep();
            case "/slept" -> response.getWriter().print(begun + " " + interrupted);
            default -> response.getWriter().print(filters());
        }
    }

    private String filters() {
        return getServletContext().getFilterRegistrations().values().stream()
                .map(FilterRegistration::getClassName)
                .collect(Collectors.joining(" "));
    }

    private void sleep() throws IOException {
        begun.incrementAndGet();
        try {
            Thread.sleep(20_000);
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw new IOException(e);
        }
    }
}
