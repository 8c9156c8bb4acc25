package dev.hangup.it;

import dev.hangup.call.Call;
import dev.hangup.it.Plan.Ending;
import dev.hangup.it.Plan.Work;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Does with each request what its {@link Plan} says, and notes which commits were reported as successful. */
final class PlannedServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** The ids whose commit has returned. */
    final transient Set<Integer> committed = ConcurrentHashMap.newKeySet();

    /** Those of them that were cancelled before the commit was called. */
    final transient Set<Integer> committedTooLate = ConcurrentHashMap.newKeySet();

    final transient Queue<WeakReference<Call>> calls = new ConcurrentLinkedQueue<>();

    /** How often asynchronous work has failed. */
    final transient AtomicInteger failures = new AtomicInteger();

    /** How many events went somewhere after one had been refused. */
    final transient AtomicInteger sentAfterFailure = new AtomicInteger();

    private final transient List<Plan> plans;
    private final transient DataSource dataSource;
    private final transient Executor workers;
    /** Where the tasks of a call run; without a limit, because their callers wait for them. */
    private final transient ExecutorService children = Executors.newCachedThreadPool();

    /** @param workers where asynchronous work is done */
    PlannedServlet(List<Plan> plans, DataSource dataSource, Executor workers) {
        this.plans = plans;
        this.dataSource = dataSource;
        this.workers = workers;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Plan plan = plans.get(Integer.parseInt(request.getQueryString()));
        try {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                answer(plan, response);
                return;
            }
            if (plan.work() == Work.EVENTS) {
                response.setContentType("text/event-stream");
            }
            calls.add(new WeakReference<>(Call.current()));
            if (plan.ending().isAsync()) {
                begin(plan, request);
            } else {
                work(plan, request, response);
                end(plan, response);
            }
        } catch (SQLException | InterruptedException e) {
            throw new ServletException(e);
        }
    }

    private void begin(Plan plan, HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        boolean timesOut = plan.ending() == Ending.ASYNC_TIMEOUT;
        // Not shorter: without Hangup, too, a timeout that comes while the dispatch is still on its way out may be
        // lost.
        async.setTimeout(timesOut ? 150 + plan.lasting().toMillis() : 60_000);
        if (!timesOut) {
            Call.current().executor(workers).execute(() -> finish(plan, async));
        }
    }

    private void finish(Plan plan, AsyncContext async) {
        try {
            work(plan, async.getRequest(), async.getResponse());
            if (plan.ending() == Ending.ASYNC_DISPATCH) {
                async.dispatch();
                return;
            }
            answer(plan, async.getResponse());
        } catch (SQLException | IOException | InterruptedException | RuntimeException e) {
            failures.incrementAndGet();
        }
        async.complete();
    }

    private static void end(Plan plan, HttpServletResponse response) throws IOException {
        switch (plan.ending()) {
            case SEND_ERROR -> response.sendError(503);
            case EXCEPTION -> throw new IllegalStateException("planned");
            case CANCEL -> {
                Call.current().cancel();
                answer(plan, response);
            }
            default -> answer(plan, response);
        }
    }

    private static void answer(Plan plan, ServletResponse response) throws IOException {
        response.getOutputStream().print(plan.token());
    }

    private void work(Plan plan, ServletRequest request, ServletResponse response)
            throws SQLException, IOException, InterruptedException {
        if (plan.ending() == Ending.DETACHED_FIN) {
            Call.current().detach();
        }
        if (!plan.transaction() && plan.work() != Work.STATEMENT) {
            work(plan, request, response, null);
            return;
        }
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            if (!plan.transaction()) {
                work(plan, request, response, statement);
                return;
            }
            connection.setAutoCommit(false);
            statement.executeUpdate("insert into endings values (" + plan.id() + ")");
            work(plan, request, response, statement);
            boolean vetoed = Call.current().isCancelled();
            connection.commit();
            committed.add(plan.id());
            if (vetoed) {
                committedTooLate.add(plan.id());
            }
        }
    }

    private void work(Plan plan, ServletRequest request, ServletResponse response, @Nullable Statement statement)
            throws SQLException, IOException, InterruptedException {
        long end = System.nanoTime() + plan.lasting().toNanos();
        switch (plan.work()) {
            case SLEEP -> Thread.sleep(plan.lasting().toMillis());
            case STATEMENT ->
                Objects.requireNonNull(statement)
                        .execute("select pg_sleep(" + plan.lasting().toMillis() / 1e3 + ")");
            case LOOP -> {
                while (!Call.current().isCancelled() && System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                if (plan.id() % 2 == 0) { // the others take no notice, and go on to their commit
                    Call.current().throwIfCancelled();
                }
            }
            case CHILDREN -> {
                Callable<Boolean> child = () -> {
                    Thread.sleep(plan.lasting().toMillis());
                    return true;
                };
                Call.current().executor(children).invokeAll(List.of(child, child));
            }
            case UPLOAD -> {
                byte[] body = request.getInputStream().readAllBytes();
                if (!Arrays.equals(body, plan.upload())) {
                    throw new IOException("somebody else's upload, or not all of it");
                }
            }
            case STREAM -> {
                while (System.nanoTime() - end < 0) {
                    response.getOutputStream().print(plan.token());
                    response.flushBuffer();
                    Thread.sleep(2);
                }
            }
            case EVENTS -> send(plan, response, end);
        }
    }

    /** As one who does not take no for an answer. */
    private void send(Plan plan, ServletResponse response, long end) throws IOException, InterruptedException {
        int failed = 0;
        while (System.nanoTime() - end < 0) {
            try {
                response.getOutputStream().print("data: " + plan.token() + "\n\n");
                response.flushBuffer();
                sentAfterFailure.addAndGet(failed > 0 ? 1 : 0);
                Thread.sleep(2);
            } catch (IOException e) {
                if (++failed > 20) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void destroy() {
        children.shutdownNow();
    }
}
