package dev.hangup.it;

import dev.hangup.HangupFilter;
import dev.hangup.policy.Policy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Part of a WAR: works long, answers asynchronously, and tells what it has seen. */
@WebServlet(
        urlPatterns = {"/work", "/pause", "/async", "/state"},
        asyncSupported = true)
public final class WarServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient AtomicInteger entered = new AtomicInteger();
    private final transient AtomicInteger interrupted = new AtomicInteger();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        switch (request.getServletPath()) {
            case "/work" -> work();
            case "/pause" -> pause(request, response);
            case "/async" -> answer(request.startAsync());
            default -> response.getWriter().print(state(request));
        }
    }

    private void work() throws ServletException {
        entered.incrementAndGet();
        try {
            Thread.sleep(30_000);
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw new ServletException(e);
        }
    }

    /** Works for as many milliseconds as the query says, and then answers. */
    private void pause(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        entered.incrementAndGet();
        try {
            Thread.sleep(Integer.parseInt(request.getQueryString()));
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw new ServletException(e);
        }
        response.getWriter().print("rested");
    }

    private static void answer(AsyncContext async) {
        async.start(() -> {
            try {
                async.getResponse().getWriter().print("from another thread");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            async.complete();
        });
    }

    private String state(HttpServletRequest request) {
        long filters = request.getServletContext().getFilterRegistrations().values().stream()
                .filter(filter -> HangupFilter.class.getName().equals(filter.getClassName()))
                .count();
        Object policy = request.getServletContext().getAttribute("dev.hangup.policy.Policy");
        return "entered " + entered + ", interrupted " + interrupted + ", filters " + filters + ", "
                + (policy instanceof Policy found ? found.describe() : "no policy");
    }
}
