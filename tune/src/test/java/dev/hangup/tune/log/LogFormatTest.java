package dev.hangup.tune.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogFormatTest {

    private static final String HEAD = "192.0.2.1 - - [30/Nov/2026:10:00:05 +0000] \"GET /a?b=c HTTP/1.1\" 200 512";
    private static final String AGENT = " \"https://example.com/\" \"Mozilla/5.0 (X11)\" ";

    @ParameterizedTest(name = "case A3: {0}")
    @CsvSource({
        "TOMCAT9,  8000,    09:59:57, 8000000",
        "TOMCAT,   8000000, 09:59:57, 8000000",
        "JETTY,    8000000, 10:00:05, 8000000",
        "HTTPD,    8000000, 10:00:05, 8000000",
        "NGINX,    8.000,   09:59:57, 8000000",
        "UNDERTOW, 8000,    09:59:57, 8000000",
        "NGINX,    0.017,   10:00:04.983, 17000"
    })
    void aRequestBelongsToTheTimeAtWhichItBegan(Server server, String duration, String start, long micros) {
        for (String middle : new String[] {AGENT, " "}) {
            Parsed line = Parsed.of(server, HEAD + middle + duration);
            assertThat(line.result()).isEqualTo(LineFormat.Result.PARSED);
            assertThat(line.start()).isEqualTo(Instant.parse("2026-11-30T" + start + "Z"));
            assertThat(line.micros()).isEqualTo(micros);
            assertThat(line.outcome()).isEqualTo(Outcome.SUCCEEDED);
            assertThat(line.method()).isEqualTo("GET");
            assertThat(line.path()).isEqualTo("/a");
        }
    }

    @Test
    @DisplayName("case A3: a stamp that says that it is the beginning is one, and one that says that it is the end too")
    void patternsSayWhatTheirStampsMean() {
        String beginning = "%h %{begin:msec}t %m %U %s %D";
        Parsed line =
                Parsed.of(new LogFormat(Server.TOMCAT, beginning).lines(), "::1 1796032805000 GET /a 200 8000000");
        assertThat(line.start()).isEqualTo(Instant.ofEpochMilli(1_796_032_805_000L));
        line = Parsed.of(
                new LogFormat(Server.TOMCAT, "%h %{sec}t %m %U %s %D").lines(), "::1 1796032805 GET /a 200 8000000");
        assertThat(line.start()).isEqualTo(Instant.ofEpochMilli(1_796_032_797_000L));
        line = Parsed.of(
                new LogFormat(Server.HTTPD, "%{end:sec}t %m %U %>s %{ms}T").lines(), "1796032805 GET /a 200 8000");
        assertThat(line.start()).isEqualTo(Instant.ofEpochMilli(1_796_032_797_000L));
    }

    @Test
    @DisplayName("case A4: the times of an upstream's attempts are added up")
    void upstreamAttempts() {
        Parsed line = Parsed.of(Server.NGINX, HEAD + AGENT + "1.300 0.010, 1.204 : -");
        assertThat(line.parsed()).isTrue();
        assertThat(line.line().upstreamMicros()).isEqualTo(1_214_000);
        assertThat(line.line().attempts()).isEqualTo(2);
        assertThat(line.micros()).isEqualTo(1_300_000);
        line = Parsed.of(Server.NGINX, HEAD + AGENT + "1.300 -");
        assertThat(line.line().upstreamMicros()).isEqualTo(1_300_000);
        assertThat(line.line().attempts()).isZero();
    }

    @ParameterizedTest(name = "case A5: {0} {1}")
    @CsvSource({
        "NGINX, 499, 5.000, DEPARTED",
        "TOMCAT, 499, 5000000, DEPARTED",
        "TOMCAT, 200, 5000000 X, DEPARTED",
        "TOMCAT, 200, 5000000 +, SUCCEEDED",
        "HTTPD, 200, 5000000 -, SUCCEEDED",
        "NGINX, 000, 5.000, DEPARTED",
        "NGINX, 404, 5.000, SUCCEEDED",
        "NGINX, 503, 5.000, FAILED",
        "NGINX, 101, 5.000, UPGRADED"
    })
    void departuresAreTold(Server server, String status, String end, Outcome outcome) {
        Parsed line = Parsed.of(server, HEAD.replace(" 200 ", " " + status + " ") + AGENT + end);
        assertThat(line.parsed()).isTrue();
        assertThat(line.outcome()).isEqualTo(outcome);
    }

    @ParameterizedTest(name = "case A6: {0}")
    @ValueSource(
            strings = {
                "\"-\" \"Alba 10\\\" Build\"",
                "\"\" \"\"",
                "\"-\" \"a \"raw\" quote\"",
                "\"-\" \"ends in a backslash \\\"",
                "\"x\" 200 9 \"y\" \"z\"",
                "\"\" 1 \"",
                "\"caf\u00e9 \u2028\" \"\\x22\""
            })
    void whatCallersSendNeverShiftsAColumn(String texts) {
        for (Server server : new Server[] {Server.TOMCAT, Server.JETTY, Server.HTTPD}) {
            Parsed line = Parsed.of(server, HEAD + " " + texts + " 1234567");
            assertThat(line.parsed()).isTrue();
            assertThat(line.micros()).isEqualTo(1_234_567);
            assertThat(line.line().status).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("case A6: a column between two texts is read only where it is the only one that it could be")
    void columnsBetweenTexts() {
        LineFormat format = new LogFormat(Server.JETTY, "%t \"%r\" %s \"%{Referer}i\" %D \"%{User-Agent}i\"").lines();
        String head = "[30/Nov/2026:10:00:05 +0000] \"GET /a HTTP/1.1\" 200 ";
        assertThat(Parsed.of(format, head + "\"-\" 77 \"agent\"").micros()).isEqualTo(77);
        assertThat(Parsed.of(format, head + "\"\\\"\" 77 \"agent\"").micros()).isEqualTo(77);
        assertThat(Parsed.of(format, head + "\"-\" 1 \"x\" 77 \"agent\"").parsed())
                .isFalse();
        assertThat(Parsed.of(format, head + "\"a\"b\" 77 \"agent\"").parsed()).isFalse();
    }

    @ParameterizedTest(name = "case A7: {0}")
    @ValueSource(
            strings = {
                "::1",
                "0:0:0:0:0:0:0:1",
                "2607:f8b0:4004:c07::8a",
                "2601:646:8080:64ec:53016",
                "[::1]:8080",
                "host.example"
            })
    void addressesOfAllKinds(String address) {
        Parsed line = Parsed.of(Server.TOMCAT, HEAD.replace("192.0.2.1", address) + AGENT + "42");
        assertThat(line.micros()).isEqualTo(42);
    }

    @ParameterizedTest(name = "case A8: {0}")
    @CsvSource({"-0500, 15:00:05", "+0530, 04:30:05", "+0000, 10:00:05"})
    void eachLineHasItsOffset(String offset, String utc) {
        Parsed line = Parsed.of(Server.JETTY, HEAD.replace("+0000", offset) + AGENT + "42");
        assertThat(line.start()).isEqualTo(Instant.parse("2026-11-30T" + utc + "Z"));
    }

    @Test
    void aUserWithSpacesInHisName() {
        Parsed line = Parsed.of(Server.TOMCAT, HEAD.replace(" - - ", " - jane doe ") + AGENT + "42");
        assertThat(line.path()).isEqualTo("/a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.1 - - [30/Nov/2026:10:00:05 +0000] \"GET /a HTTP/1.1\" 200 512 1.5",
                "192.0.2.1 - - [30/Nov/2026:10:00:05 +0000] \"GET /a HTTP/1.1\" 200 512 -5",
                "192.0.2.1 - - [30/Nov/2026:10:00:05 +0000] \"GET /a HTTP/1.1\" 200 512",
                "192.0.2.1 - - [30/Nov/2026:10:00:05 +0000] \"GET /a HTTP/1.1\" 20 512 7",
                "192.0.2.1 - - [31/Nov/2026:10:00:05 +0000] \"GET /a HTTP/1.1\" 200 512 7",
                "192.0.2.1 - - [30/Nov/2026:25:00:05 +0000] \"GET /a HTTP/1.1\" 200 512 7",
                "192.0.2.1 - - [30/Nov/2026:10:00:05 +0000] \"GET /a HTTP/1.1\" 200 512 99999999999999999999",
                "[",
                "\"",
                "\\",
                "   ",
                "192.0.2.1 - - [30/Nov/2026"
            })
    void whatIsOfAnotherFormIsNotRead(String line) {
        assertThat(Parsed.of(Server.TOMCAT, line).result()).isEqualTo(LineFormat.Result.UNPARSED);
    }

    @Test
    void aNumberOfAnotherUnitIsNotRead() {
        assertThat(Parsed.of(Server.NGINX, HEAD + AGENT + "1234").parsed()).isFalse();
        assertThat(Parsed.of(Server.TOMCAT9, HEAD + AGENT + "1.234").parsed()).isFalse();
        assertThat(Parsed.of(Server.UNDERTOW, HEAD + AGENT + "-").result()).isEqualTo(LineFormat.Result.NO_DURATION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "\\x16\\x03\\x01", "", "quit", "GET /a HTTP/1.1 HTTP/1.1 x"})
    void whatIsNoRequestIsALineStill(String request) {
        assertThat(Parsed.of(Server.NGINX, HEAD.replace("GET /a?b=c HTTP/1.1", request) + AGENT + "0.001")
                        .parsed())
                .isTrue();
    }

    @Test
    void theFinerOfTwoDurationsCounts() {
        for (String pattern : new String[] {"%t %s %D %T", "%t %s %T %D"}) {
            LineFormat format = new LogFormat(Server.TOMCAT, pattern).lines();
            String durations = pattern.endsWith("T") ? "1700000 1" : "1 1700000";
            assertThat(Parsed.of(format, "[30/Nov/2026:10:00:05 +0000] 200 " + durations)
                            .micros())
                    .isEqualTo(1_700_000);
        }
    }

    @Test
    void aLoadBalancersLine() {
        String line =
                "https 2026-11-30T10:00:05.123456Z app/lb/50dc 2607:f8b0::8a:2817 10.0.0.1:80 0.001 7.5 0.002 200 200 34 366"
                        + " \"GET https://example.com:443/a?b=c HTTP/2.0\" \"Alba 10\\\" Build\" ECDHE TLSv1.2 arn:aws \"Root=1-5\""
                        + " \"example.com\" \"arn:cert\" 0 2026-11-30T09:59:57.500000Z \"forward\" \"-\" \"-\"";
        Parsed parsed = Parsed.of(Server.ALB, line + " \"10.0.0.1:80\" \"200\" \"-\" \"-\" TID_1 a field of tomorrow");
        assertThat(parsed.parsed()).isTrue();
        assertThat(parsed.start()).isEqualTo(Instant.parse("2026-11-30T09:59:57.500Z"));
        assertThat(parsed.micros()).isEqualTo(7_503_000);
        assertThat(parsed.line().upstreamMicros()).isEqualTo(7_500_000);
        assertThat(parsed.path()).isEqualTo("/a");
    }

    @Test
    @DisplayName("case A5: a load balancer's caller who left has no times, and waited from the beginning to the stamp")
    void aLoadBalancersCallerLeft() {
        String line = "https 2026-11-30T10:00:05.000000Z app/lb/50dc 192.0.2.1:2817 10.0.0.1:80 -1 -1 -1 460 - 34 0"
                + " \"GET https://example.com:443/a HTTP/2.0\" \"agent\" ECDHE TLSv1.2 arn:aws \"Root=1-5\""
                + " \"example.com\" \"arn:cert\" 0 2026-11-30T10:00:00.000000Z \"forward\" \"-\" \"-\"";
        Parsed parsed = Parsed.of(Server.ALB, line);
        assertThat(parsed.parsed()).isTrue();
        assertThat(parsed.outcome()).isEqualTo(Outcome.DEPARTED);
        assertThat(parsed.micros()).isEqualTo(5_000_000);
        assertThat(Parsed.of(Server.ALB, line.replace(" 460 ", " 502 ")).outcome())
                .isEqualTo(Outcome.FAILED);
    }

    @Test
    void aTableTellsItsColumns() {
        LineFormat format = new LogFormat(Server.CLOUDFRONT, null).lines();
        assertThat(Parsed.of(format, "#Version: 1.0").result()).isEqualTo(LineFormat.Result.COMMENT);
        assertThat(Parsed.of(format, "#Fields: date time time-taken sc-status cs-method cs-uri-stem x-host-header")
                        .result())
                .isEqualTo(LineFormat.Result.COMMENT);
        Parsed line = Parsed.of(format, "2026-11-30\t10:00:05\t8.000\t200\tGET\t/a%20b\texample.com");
        assertThat(line.parsed()).isTrue();
        assertThat(line.start()).isEqualTo(Instant.parse("2026-11-30T09:59:57Z"));
        assertThat(line.path()).isEqualTo("/a%20b");
        assertThat(Parsed.of(format, "2026-11-30\t10:00:05\t8.000\t000\tGET\t/a\texample.com")
                        .outcome())
                .isEqualTo(Outcome.DEPARTED);
        assertThat(Parsed.of(format, "2026-11-30\t10:00:05\t8.000").parsed()).isFalse();
        assertThat(Parsed.of(format, "\t\t\t\t\t\t").parsed()).isFalse();
        format.begin();
        String standard =
                "2026-11-30\t10:00:05\tFRA2\t512\t192.0.2.1\tGET\td1.cloudfront.net\t/a\t200\t-\tagent\t-\t-\tMiss\tid=="
                        + "\texample.com\thttps\t23\t1.5";
        assertThat(Parsed.of(format, standard).micros()).isEqualTo(1_500_000);
        assertThat(Parsed.of(format, standard + "\t-\tTLSv1.3\tsuite\tMiss").micros())
                .isEqualTo(1_500_000);
    }

    @ParameterizedTest(name = "case A2: {0}")
    @EnumSource(names = {"TOMCAT", "TOMCAT9", "JETTY", "NGINX", "HTTPD", "UNDERTOW"})
    void aPatternWithoutADurationIsRefusedWithTheLineToAdd(Server server) {
        String pattern = server == Server.NGINX ? "$remote_addr [$time_local] $status" : "%h %l %u %t \"%r\" %s %b";
        assertThatThrownBy(() -> new LogFormat(server, pattern))
                .hasMessageContaining("no duration field")
                .hasMessageContaining(server == Server.NGINX ? "$request_time" : "%D");
    }

    @Test
    @DisplayName("case A2: lines without a duration are known")
    void plainLines() {
        PlainLines plain = new PlainLines();
        for (String line :
                new String[] {HEAD, HEAD + AGENT.strip().indent(1).stripTrailing(), HEAD.replace("512", "-")}) {
            byte[] bytes = line.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            assertThat(plain.isWithoutDuration(bytes, 0, bytes.length)).as(line).isTrue();
        }
        for (String line : new String[] {HEAD + " 17", HEAD + AGENT + "17", "x", "", "[", HEAD.substring(0, 50)}) {
            byte[] bytes = line.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            assertThat(plain.isWithoutDuration(bytes, 0, bytes.length)).as(line).isFalse();
        }
    }

    @Test
    void aTruncatedLineOfAnyLengthIsNoTrouble() {
        String line = HEAD + AGENT + "1234567 X";
        for (int length = 0; length < line.length(); length++) {
            for (Server server : Server.values()) {
                String cut = line.substring(0, length);
                if (!cut.isEmpty()) {
                    assertThat(Parsed.of(server, cut).result()).isNotNull();
                }
            }
        }
    }
}
