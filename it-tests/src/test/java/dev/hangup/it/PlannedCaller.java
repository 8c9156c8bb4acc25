package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.it.Plan.Work;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** One caller after the other on one connection, as long as they stay. Each makes sure that all it hears is meant for it. */
final class PlannedCaller implements AutoCloseable {

    private static final Pattern TOKEN = Pattern.compile("<[0-9]+>");
    private static final int PIECE = 1_024;

    private final Stage stage;
    private RawClient client;

    PlannedCaller(Stage stage) throws IOException {
        this.stage = stage;
        this.client = stage.client();
    }

    void call(Plan plan) throws Exception {
        long leaving = System.nanoTime() + plan.leaving().toNanos();
        if (plan.work() == Work.UPLOAD) {
            upload(plan, leaving);
        } else {
            client.get(plan.path());
        }
        if (plan.ending().leaves()) {
            TimeUnit.NANOSECONDS.sleep(leaving - System.nanoTime());
            assertOwn(plan, client.heard());
            switch (plan.ending()) {
                case RST, ASYNC_RST -> client.rst();
                default -> client.close();
            }
        } else if (stays(plan)) {
            return;
        }
        client.close();
        client = stage.client();
    }

    private void upload(Plan plan, long leaving) throws IOException, InterruptedException {
        byte[] body = plan.upload();
        client.send(RawClient.head("POST", plan.path()) + "Content-Length: " + body.length + "\r\n\r\n");
        boolean whole = !plan.ending().leaves() && !plan.ending().passesItsDeadline();
        int end = whole ? body.length : body.length - PIECE;
        for (int sent = 0; sent < end && (whole || leaving - System.nanoTime() > 0); sent += PIECE) {
            client.send(Arrays.copyOfRange(body, sent, Math.min(sent + PIECE, end)));
            Thread.sleep(1);
        }
    }

    /** Reads the answer; false if the connection has ended. */
    private boolean stays(Plan plan) throws IOException {
        RawResponse response;
        try {
            response = client.response();
        } catch (IOException e) {
            assertOwn(plan, client.heard());
            // Truncated, and seen to be: cut in mid-stream, or in the midst of an upload that does not come.
            assertThat(plan)
                    .as("%s", e)
                    .matches(
                            cut -> cut.ending().passesItsDeadline()
                                    && (cut.work().sends() || cut.work() == Work.UPLOAD),
                            "a cut stream");
            return false;
        }
        int expected =
                switch (plan.ending()) {
                    case SEND_ERROR, CANCEL -> 503;
                    case EXCEPTION, ASYNC_TIMEOUT -> 500;
                    case DEADLINE, ASYNC_DEADLINE -> 504;
                    default -> 200;
                };
        assertThat(response.status()).as("%s: %s", plan, response.body()).isEqualTo(expected);
        assertOwn(plan, client.heard());
        if (expected == 200) {
            String tokens = response.body().replace("data: ", "").replace("\n", "");
            assertThat(tokens)
                    .as("%s", plan)
                    .isNotEmpty()
                    .isEqualTo(
                            plan.token().repeat(tokens.length() / plan.token().length()));
        }
        return !"close".equalsIgnoreCase(response.header("Connection"))
                && !(plan.work() == Work.UPLOAD && plan.ending().passesItsDeadline());
    }

    /** Of one answer at most, and of nobody else's. */
    private static void assertOwn(Plan plan, String heard) {
        assertThat(TOKEN.matcher(heard).results().map(MatchResult::group))
                .as("%s heard %s", plan, heard)
                .allMatch(plan.token()::equals);
        assertThat(heard.split("HTTP/1.1 ", -1)).as("%s heard %s", plan, heard).hasSizeLessThanOrEqualTo(2);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
