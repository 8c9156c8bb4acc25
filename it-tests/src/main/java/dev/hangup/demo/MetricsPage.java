package dev.hangup.demo;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;

/** The page that Prometheus scrapes. */
final class MetricsPage extends HttpServlet {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient PrometheusMeterRegistry registry;

    MetricsPage(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain; version=0.0.4; charset=utf-8");
        response.getWriter().write(registry.scrape());
    }
}
