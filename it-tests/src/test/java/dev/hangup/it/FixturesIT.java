package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the other tests stand on: that the containers, the client and the database do what their fixtures say. */
final class FixturesIT {

    @EachContainer
    void echoesGetAndPost(ContainerKind kind) throws IOException {
        try (Container container = kind.start(new Site().servlet("/echo/*", new EchoServlet()));
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get("/echo/a").response().body()).isEqualTo("GET /echo/a ");
            byte[] body = "x".repeat(100_000).getBytes(StandardCharsets.ISO_8859_1);
            RawResponse posted = client.post("/echo/b", body).response();
            assertThat(posted.status()).isEqualTo(200);
            assertThat(posted.body()).hasSize(100_013).startsWith("POST /echo/b xxx");
            assertThat(posted.header("Transfer-Encoding")).isEqualTo("chunked");
            assertThat(client.get("/none").response().status()).isEqualTo(404);
        }
    }

    @EachContainer
    void answersPipelinedRequestsInOrder(ContainerKind kind) throws IOException {
        try (Container container = kind.start(new Site().servlet("/*", new EchoServlet()));
                RawClient client = RawClient.connect(container)) {
            client.send(RawClient.head("GET", "/1") + "\r\n" + RawClient.head("GET", "/2") + "\r\n");
            assertThat(client.response().body()).isEqualTo("GET /1 ");
            assertThat(client.response().body()).isEqualTo("GET /2 ");
        }
    }

    @EachContainer
    void runsFiltersInOrderAndSeesAttributes(ContainerKind kind) throws IOException {
        Filter outer = (request, response, chain) -> {
            ((HttpServletResponse) response).addHeader("Seen", "outer");
            chain.doFilter(request, response);
        };
        Filter inner = (request, response, chain) -> {
            String name = (String) request.getServletContext().getAttribute("name");
            ((HttpServletResponse) response).addHeader("Seen", name + request.isAsyncSupported());
            chain.doFilter(request, response);
        };
        Site site = new Site()
                .attribute("name", "inner")
                .filter(outer)
                .filter(inner)
                .servlet("/*", new EchoServlet());
        try (Container container = kind.start(site);
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get("/").response().header("Seen")).isEqualTo("outer, innertrue");
        }
    }

    @EachContainer
    void countsBusyWorkersUpToTheMaximum(ContainerKind kind) throws IOException {
        Gate gate = new Gate();
        List<RawClient> clients = new ArrayList<>();
        try (Container container = kind.start(new Site().maxThreads(12).servlet("/*", gate))) {
            await().until(container::busyWorkers, busy -> busy <= 1);
            for (int i = 0; i < 20; i++) {
                clients.add(RawClient.connect(container).get("/"));
            }
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(12));
            assertThat(container.busyWorkers()).isEqualTo(12);
            gate.open();
            for (RawClient client : clients) {
                assertThat(client.response().body()).isEqualTo("opened");
                client.close();
            }
            await().until(container::busyWorkers, busy -> busy <= 1);
        }
    }

    @EachContainer
    void tellsATruncatedBodyFromAWholeOne(ContainerKind kind) throws IOException {
        HttpServlet truncating = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.setContentLength(100);
                response.getOutputStream().print("half");
                response.flushBuffer();
                throw new IOException("cut on purpose");
            }
        };
        try (Container container = kind.start(new Site().servlet("/*", truncating));
                RawClient client = RawClient.connect(container)) {
            assertThatThrownBy(() -> client.get("/").response())
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("4 of 100");
            assertThat(client.endsWithin(Duration.ofSeconds(2))).isTrue();
        }
    }

    @Test
    void theDatabaseSeesWhatRunsAndWhatWasCommitted() throws Exception {
        Postgres postgres =
                Postgres.shared().execute("drop table if exists fixtures").execute("create table fixtures (n int)");
        try (HikariDataSource pool = postgres.pool(2);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("insert into fixtures values (1)");
            assertThat(postgres.rows("fixtures")).isZero();
            assertThat(postgres.openTransactions()).isEqualTo(1);

            CompletableFuture<Boolean> sleep =
                    CompletableFuture.supplyAsync(() -> fails(statement, "select pg_sleep(60) /* fixtures */"));
            await().until(() -> postgres.runningQueries("/* fixtures */") == 1);
            statement.cancel();
            assertThat(sleep).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
            assertThat(postgres.runningQueries("/* fixtures */")).isZero();
            connection.rollback();

            statement.execute("insert into fixtures values (1)");
            connection.commit();
            assertThat(postgres.rows("fixtures")).isEqualTo(1);
        }
    }

    private static boolean fails(Statement statement, String sql) {
        try {
            statement.execute(sql);
            return false;
        } catch (java.sql.SQLException e) {
            return true;
        }
    }
}
