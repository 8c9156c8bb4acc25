package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** An error page or a redirect is a whole answer: one given before a cancel arrives, one tried afterwards does not. */
final class WholeAnswerIT {

    private static final Policy POLICY =
            Policy.builder().endpoint("GET /answer", Entry.of(Mode.CANCEL)).build();

    @EachContainer
    void anErrorOrRedirectBeforeTheCancelArrives(ContainerKind kind) throws Exception {
        Site site = new Site().servlet("/answer", new LambdaServlet((request, response) -> {
            switch (request.getQueryString()) {
                case "error" -> response.sendError(404);
                case "message" -> response.sendError(404, "not here");
                case "redirect" -> response.sendRedirect("/elsewhere");
                case "status" -> response.sendRedirect("/elsewhere", 303);
                case "buffer" -> response.sendRedirect("/elsewhere", false);
                default -> response.sendRedirect("/elsewhere", 307, true);
            }
            assertThat(Call.current().cancel()).isTrue();
        }));
        try (Stage stage = Stage.start(kind, POLICY, site)) {
            assertThat(answer(stage, "error").status()).isEqualTo(404);
            assertThat(answer(stage, "message").status()).isEqualTo(404);
            assertThat(answer(stage, "redirect").status()).isEqualTo(302);
            assertThat(answer(stage, "status").status()).isEqualTo(303);
            assertThat(answer(stage, "buffer").status()).isEqualTo(302);
            assertThat(answer(stage, "both").status()).isEqualTo(307);
        }
    }

    /** The methods of Servlet 6.1, which the wrapper of the API hands on by itself. */
    @EachContainer
    void whatServlet61AddsIsRefusedAfterTheCancel(ContainerKind kind) throws Exception {
        AtomicInteger past = new AtomicInteger();
        Site site = new Site().servlet("/answer", new LambdaServlet((request, response) -> {
            String encoding = response.getCharacterEncoding();
            Call.current().cancel();
            response.setCharacterEncoding(StandardCharsets.UTF_16);
            response.sendRedirect("/elsewhere", 303);
            response.sendRedirect("/elsewhere", false);
            response.sendRedirect("/elsewhere", 303, false);
            if (response.isCommitted() || !encoding.equals(response.getCharacterEncoding())) {
                past.incrementAndGet();
            }
        }));
        try (Stage stage = Stage.start(kind, POLICY, site)) {
            RawResponse answer = answer(stage, "late");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("location")).isNull();
            await().until(() -> stage.turnstile.inside() == 0);
            assertThat(past).hasValue(0);
        }
    }

    /** A caller who has read its answer hangs up: what the application still does is not to be rolled back. */
    @EachContainer
    void whoHasGotTheWholeAnswerDoesNotLeave(ContainerKind kind) throws Exception {
        worksToTheEnd(kind, response -> {
            response.setContentLength(2);
            response.getOutputStream().print("ok");
            response.getOutputStream().close();
        });
    }

    /** Its length says that it is whole; nobody has to close it. */
    @EachContainer
    void whoHasGotAsManyBytesAsAnnouncedDoesNotLeave(ContainerKind kind) throws Exception {
        worksToTheEnd(kind, response -> {
            response.setContentLength(2);
            response.getOutputStream().write("o".getBytes(StandardCharsets.UTF_8));
            response.getOutputStream().write('k');
            response.flushBuffer();
        });
        worksToTheEnd(kind, response -> {
            response.setCharacterEncoding("UTF-8");
            response.setHeader("Content-length", "2");
            response.getWriter().print("\u00f6");
            response.flushBuffer();
        });
    }

    @EachContainer
    void whoHasGotLessThanAnnouncedLeaves(ContainerKind kind) throws Exception {
        Site site = new Site().servlet("/answer", new LambdaServlet((request, response) -> {
            response.setContentLength(3);
            response.getOutputStream().print("ok");
            response.flushBuffer();
            new CountDownLatch(1).await();
        }));
        try (Stage stage = Stage.start(kind, POLICY, site)) {
            try (RawClient client = stage.client()) {
                client.get("/answer");
                await().until(() -> stage.turnstile.inside() == 1);
            }
            await().until(() -> stage.scrape().count("hangup_cancelled_total") == 1);
        }
    }

    private interface Answer {
        void give(HttpServletResponse response) throws Exception;
    }

    private static void worksToTheEnd(ContainerKind kind, Answer given) throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        AtomicReference<String> worked = new AtomicReference<>();
        Site site = new Site().servlet("/answer", new LambdaServlet((request, response) -> {
            given.give(response);
            left.await();
            // Longer than the grace, in which nobody is watched.
            Thread.sleep(500);
            worked.set("to the end, cancelled " + Call.current().isCancelled());
        }));
        try (Stage stage = Stage.start(kind, POLICY, site)) {
            assertThat(answer(stage, "close").body()).isNotEmpty();
            left.countDown();
            await().untilAsserted(() -> assertThat(worked).hasValue("to the end, cancelled false"));
            await().until(() -> stage.turnstile.inside() == 0);
            assertThat(stage.scrape().count("hangup_cancelled_total")).isZero();
        }
    }

    private static RawResponse answer(Stage stage, String query) throws Exception {
        try (RawClient client = stage.client()) {
            return client.get("/answer?" + query).response();
        }
    }
}
