package dev.hangup.it;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet in one lambda. An interrupt that it does not handle becomes a ServletException, as applications do it. */
final class Script extends HttpServlet {

    private static final long serialVersionUID = 1L;

    interface Work {
        void serve(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException, InterruptedException;
    }

    private final transient Work work;

    private Script(Work work) {
        this.work = work;
    }

    static Script of(Work work) {
        return new Script(work);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        try {
            work.serve(request, response);
        } catch (InterruptedException e) {
            throw new ServletException("the work was interrupted", e);
        }
    }
}
