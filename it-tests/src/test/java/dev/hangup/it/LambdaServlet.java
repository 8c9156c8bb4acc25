package dev.hangup.it;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet in one lambda, for every method. What it throws that a servlet may not is wrapped in a ServletException. */
public final class LambdaServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Action action;

    /** What the servlet does. */
    public interface Action {
        void handle(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    public LambdaServlet(Action action) {
        this.action = action;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        try {
            action.handle(request, response);
        } catch (ServletException | IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }
}
