package dev.hangup.it;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A servlet whose workers wait until the test opens the gate, or until they are interrupted. */
final class Gate extends HttpServlet {

    private static final long serialVersionUID = 1L;

    final transient AtomicInteger entered = new AtomicInteger();
    final transient AtomicInteger answered = new AtomicInteger();
    final transient AtomicInteger interrupted = new AtomicInteger();
    private final transient CountDownLatch opened = new CountDownLatch(1);

    void open() {
        opened.countDown();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        entered.incrementAndGet();
        try {
            opened.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            return;
        }
        response.getOutputStream().print("opened");
        response.flushBuffer();
        answered.incrementAndGet();
    }
}
