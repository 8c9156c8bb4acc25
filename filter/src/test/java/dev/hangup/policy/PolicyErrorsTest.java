package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said about each way to get a policy file wrong, and where. */
final class PolicyErrorsTest {

    private static final String DURATION = "expected a duration above zero, such as 1500ms, 1.5s, 30s or 2m";
    private static final String FROM_ZERO = "expected a duration of 0ms or more, such as 1500ms, 1.5s, 30s or 2m";
    private static final String SECTIONS =
            "expected one of mode, half-close, zone, settings, windows, caller-deadline, deadlines, sources";
    private static final String SETTINGS = "expected one of grace, escalate-after, stuck-after, drain, keep-alive,"
            + " max-cancel-share, retry-after, deadline-status, request-start-header";
    private static final String KEEP_ALIVE =
            "expected off, or idle/interval/count in whole seconds up to 32767s and a count from 1 to 127, such as 30s/10s/3";
    private static final String ENTRY =
            "expected one of mode, interrupt, escalate-after, stuck-after, covers, half-close, normal (there are no windows)";
    private static final String MINUTES = "expected minutes of the hour, such as 0-7 or 30, from 0 to 59";
    private static final String HOURS = "expected hours of the day, such as 7-9 or 22, from 0 to 23";
    private static final String DAYS = "expected days of the week, such as mon-fri or sat";
    private static final String NAME = "expected a letter, then letters, digits, _ or -, at most 64, and none of"
            + " covers, defaults, escalate-after, half-close, host, interrupt, mode, normal, stuck-after";
    private static final String HOST =
            "expected a host such as a.example.com or a.example.com:8443, without a scheme and a path";
    private static final String PLAIN = "expected one plain YAML document";

    static Stream<Arguments> documents() {
        return Stream.of(
                error("mode: cancle", "1:7 mode = \"cancle\": unknown mode; expected one of observe, cancel, off"),
                error("mode: OFF", "1:7 mode = \"OFF\": unknown mode; expected one of observe, cancel, off"),
                error("mode:", "1:6 mode = \"\": no value; expected one of observe, cancel, off"),
                error("mode: ~", "1:7 mode = \"~\": unknown mode; expected one of observe, cancel, off"),
                error("mode: [off]", "1:7 mode = \"[...]\": not a single value; expected one of observe, cancel, off"),
                error(
                        "half-close: yes",
                        "1:13 half-close = \"yes\": unknown half-close; expected one of gone, tolerate"),
                error(
                        "zone: Mars",
                        "1:7 zone = \"Mars\": unknown zone; expected a time zone such as UTC or Europe/Paris"),
                error("modes: off", "1:1 modes = \"off\": unknown key (did you mean \"mode\"?); " + SECTIONS),
                error(
                        "halfClose: gone",
                        "1:1 halfClose = \"gone\": unknown key (did you mean \"half-close\"?); " + SECTIONS),
                error("sesttings: {}", "1:1 sesttings = \"{}\": unknown key (did you mean \"settings\"?); " + SECTIONS),
                error("colour: red", "1:1 colour = \"red\": unknown key; " + SECTIONS),
                error("<<: { mode: off }", "1:1 << = \"{...}\": unknown key; " + SECTIONS),
                error(
                        "mode: off\nzone: UTC\nmode: cancel",
                        "3:1 mode = \"cancel\": duplicate key, first on line 1; expected each key once"),
                error(
                        "mode: off\n\"mode\": off",
                        "2:1 mode = \"off\": duplicate key, first on line 1; expected each key once"),
                error("just words", "1:1 not a section; expected keys with values"),
                error("\n- mode", "2:1 not a section; expected keys with values"),
                error("settings: off", "1:11 settings = \"off\": not a section; expected keys with values"),
                error("settings:\n  - grace", "2:3 settings = \"[...]\": not a section; expected keys with values"),
                setting("grace: -5ms", "3:10 settings.grace = \"-5ms\": must not be negative; " + FROM_ZERO),
                setting("grace: 5", "3:10 settings.grace = \"5\": no unit; " + FROM_ZERO),
                setting("grace:", "3:9 settings.grace = \"\": no value; " + FROM_ZERO),
                setting("drain: soon", "3:10 settings.drain = \"soon\": not a duration; " + FROM_ZERO),
                setting("stuck-after: 0s", "3:16 settings.stuck-after = \"0s\": must not be zero; " + DURATION),
                setting("escalate-after: 2h", "3:19 settings.escalate-after = \"2h\": unknown unit \"h\"; " + DURATION),
                setting(
                        "escalate_after: 2s",
                        "3:3 settings.escalate_after = \"2s\": unknown key (did you mean \"escalate-after\"?); "
                                + SETTINGS),
                setting("garce: 2s", "3:3 settings.garce = \"2s\": unknown key (did you mean \"grace\"?); " + SETTINGS),
                setting(
                        "retry-after: on",
                        "3:16 settings.retry-after = \"on\": not a duration; "
                                + DURATION.replace("expected ", "expected off, or ")),
                setting(
                        "deadline-status: 200",
                        "3:20 settings.deadline-status = \"200\": not an error's status; expected a number from 400 to 599"),
                setting(
                        "deadline-status: 504.0",
                        "3:20 settings.deadline-status = \"504.0\": not an error's status; expected a number from 400 to 599"),
                setting("keep-alive:", "3:14 settings.keep-alive = \"\": no value; " + KEEP_ALIVE),
                setting("keep-alive: 30s", "3:15 settings.keep-alive = \"30s\": not a keep-alive; " + KEEP_ALIVE),
                setting(
                        "keep-alive: 30s/10s/3/4",
                        "3:15 settings.keep-alive = \"30s/10s/3/4\": not a keep-alive; " + KEEP_ALIVE),
                setting(
                        "keep-alive: 30s/10s/-3",
                        "3:15 settings.keep-alive = \"30s/10s/-3\": not a keep-alive; " + KEEP_ALIVE),
                setting(
                        "keep-alive: 30/10s/3",
                        "3:15 settings.keep-alive = \"30/10s/3\": idle: no unit; " + KEEP_ALIVE),
                setting(
                        "keep-alive: 0s/10s/3",
                        "3:15 settings.keep-alive = \"0s/10s/3\": idle: must not be zero; " + KEEP_ALIVE),
                setting(
                        "keep-alive: 30s/1500ms/3",
                        "3:15 settings.keep-alive = \"30s/1500ms/3\": interval: not whole seconds; " + KEEP_ALIVE),
                setting(
                        "keep-alive: 30s/32768s/3",
                        "3:15 settings.keep-alive = \"30s/32768s/3\": interval: not from 1s to 32767s; " + KEEP_ALIVE),
                setting(
                        "keep-alive: 30s/10s/0",
                        "3:15 settings.keep-alive = \"30s/10s/0\": count: not from 1 to 127; " + KEEP_ALIVE),
                setting(
                        "keep-alive: 30s/10s/128",
                        "3:15 settings.keep-alive = \"30s/10s/128\": count: not from 1 to 127; " + KEEP_ALIVE),
                setting(
                        "keep-alive: [30s, 10s, 3]",
                        "3:15 settings.keep-alive = \"[...]\": not a single value; " + KEEP_ALIVE),
                setting(
                        "max-cancel-share: 0.2",
                        "3:21 settings.max-cancel-share = \"0.2\": not a percentage; expected off, or a percentage such"
                                + " as 20%"),
                setting(
                        "max-cancel-share: 0%",
                        "3:21 settings.max-cancel-share = \"0%\": not above 0% and at most 100%; expected off, or a"
                                + " percentage such as 20%"),
                setting(
                        "max-cancel-share: 101%",
                        "3:21 settings.max-cancel-share = \"101%\": not above 0% and at most 100%; expected off, or a"
                                + " percentage such as 20%"),
                setting(
                        "request-start-header: x y",
                        "3:25 settings.request-start-header = \"x y\": no name of a header; expected off, or a header such as x-request-start"),
                error("windows: []", "1:10 windows = \"[]\": not a section; expected keys with values"),
                window("noon: {}", "2:3 windows[noon] = \"{}\": a window of all time; expected minutes, hours or days"),
                window("noon:", "2:3 windows[noon] = \"\": a window of all time; expected minutes, hours or days"),
                window(
                        "noon: 12",
                        "2:9 windows[noon] = \"12\": not a section; expected keys with values",
                        "2:3 windows[noon] = \"12\": a window of all time; expected minutes, hours or days"),
                window(
                        "noon: { hour: 12 }",
                        "2:11 windows[noon].hour = \"12\": unknown key (did you mean \"hours\"?);"
                                + " expected one of minutes, hours, days",
                        "2:3 windows[noon] = \"{...}\": a window of all time; expected minutes, hours or days"),
                window("noon: { minutes: }", "2:19 windows[noon].minutes = \"\": no value; " + MINUTES),
                window("noon: { minutes: [] }", "2:20 windows[noon].minutes = \"[]\": not a single value; " + MINUTES),
                window(
                        "noon: { minutes: [0-7, 60] }",
                        "2:26 windows[noon].minutes = \"60\": there is no 60; " + MINUTES),
                window("noon: { minutes: 7- }", "2:20 windows[noon].minutes = \"7-\": no range; " + MINUTES),
                window("noon: { minutes: -7 }", "2:20 windows[noon].minutes = \"-7\": no range; " + MINUTES),
                window("noon: { hours: 22-24 }", "2:18 windows[noon].hours = \"22-24\": there is no 24; " + HOURS),
                window("noon: { hours: 7:30 }", "2:18 windows[noon].hours = \"7:30\": no range; " + HOURS),
                window("noon: { days: Mon }", "2:17 windows[noon].days = \"Mon\": no range; " + DAYS),
                window("noon: { days: mon-sam }", "2:17 windows[noon].days = \"mon-sam\": unknown day; " + DAYS),
                window("normal: { hours: 12 }", "2:3 windows[normal] = \"{...}\": reserved; " + NAME),
                window("host: { hours: 12 }", "2:3 windows[host] = \"{...}\": reserved; " + NAME),
                window("12: { hours: 12 }", "2:3 windows[12] = \"{...}\": no name of a window; " + NAME),
                error(
                        "deadlines: { defaults: { noom: 1s } }\nwindows: { noon: { hours: 12 } }",
                        "1:26 deadlines.defaults.noom = \"1s\": unknown key (did you mean \"noon\"?);"
                                + " expected one of normal, noon"),
                error(
                        "deadlines: { defaults: { noon: 1 } }\nwindows: { noon: { hours: 12 } }",
                        "1:32 deadlines.defaults.noon = \"1\": no unit; " + DURATION),
                error(
                        "caller-deadline:\n  headers: [grpc-timeout, a]",
                        "2:27 caller-deadline.headers = \"a\": unknown header; expected one of x-request-timeout-ms,"
                                + " x-envoy-expected-rq-timeout-ms, grpc-timeout, prefer-wait, x-test-seconds"),
                error(
                        "caller-deadline: { trusted: [10.0.0.1/8, '::1', localhost] }",
                        "1:30 caller-deadline.trusted = \"10.0.0.1/8\": not the first address of its range; expected 10.0.0.0/8,"
                                + " or the address alone",
                        "1:49 caller-deadline.trusted = \"localhost\": not an address; expected an address or a range such as"
                                + " 127.0.0.0/8, 10.1.2.3 or fd00::/8"),
                error(
                        "caller-deadline: { floor: 0ms }",
                        "1:27 caller-deadline.floor = \"0ms\": must not be zero; " + DURATION),
                error(
                        "caller-deadline: { cap: 1s }",
                        "1:20 caller-deadline.cap = \"1s\": unknown key; expected one of headers, trusted, floor"),
                error(
                        "sources:\n  weather: { normal: 1s }",
                        "2:3 sources[weather] = \"{...}\": no host; expected host: and who serves it,"
                                + " such as a.example.com or a.example.com:8443"),
                error(
                        "sources:\n  weather: { host: http://a/ }",
                        "2:20 sources[weather].host = \"http://a/\": no host; " + HOST),
                error(
                        "sources:\n  weather: { host: 'a:65536' }",
                        "2:20 sources[weather].host = \"a:65536\": no host; " + HOST),
                error(
                        "sources:\n  weather: { host: 'a:0443' }",
                        "2:20 sources[weather].host = \"a:0443\": no host; " + HOST),
                error("sources:\n  weather: { host: }", "2:19 sources[weather].host = \"\": no value; " + HOST),
                error(
                        "sources:\n  weather: { host: a }\n  tides: { host: A }",
                        "3:3 sources[tides] = \"{...}\": the same host as \"weather\"; expected each host once"),
                error(
                        "sources:\n  weather: { host: a, mode: off }",
                        "2:23 sources[weather].mode = \"off\": unknown key; expected one of host, normal (there are no windows)"),
                error(
                        "sources: { defaults: { normal: 1 } }",
                        "1:32 sources[defaults].normal = \"1\": no unit; " + DURATION),
                error(
                        "deadlines: { defaults: { normal: 0s } }",
                        "1:34 deadlines.defaults.normal = \"0s\": must not be zero; " + DURATION),
                error(
                        "deadlines: { defaults: { night: 1s } }",
                        "1:26 deadlines.defaults.night = \"1s\": unknown key; expected one of normal (there are no windows)"),
                error(
                        "deadlines: { endpoint: {} }",
                        "1:14 deadlines.endpoint = \"{}\": unknown key (did you mean \"endpoints\"?); expected one of defaults, endpoints"),
                entry(
                        "\"GET /a\": { mode: on }",
                        "3:21 deadlines.endpoints[GET /a].mode = \"on\": unknown mode; expected one of observe, cancel, off"),
                entry(
                        "\"GET /a\": { normal: 30 }",
                        "3:23 deadlines.endpoints[GET /a].normal = \"30\": no unit; " + DURATION),
                entry(
                        "\"GET /a\": { night: 30s }",
                        "3:15 deadlines.endpoints[GET /a].night = \"30s\": unknown key; " + ENTRY),
                entry(
                        "\"GET /a\": { interrupt: yes }",
                        "3:26 deadlines.endpoints[GET /a].interrupt = \"yes\": neither true nor false; expected true or false"),
                entry(
                        "\"GET /a\": { covers: first_byte }",
                        "3:23 deadlines.endpoints[GET /a].covers = \"first_byte\": unknown value; expected one of response, first-byte"),
                entry(
                        "\"GET /a\": { covers: all }",
                        "3:23 deadlines.endpoints[GET /a].covers = \"all\": unknown value; expected one of response, first-byte"),
                entry(
                        "\"GET /a\": { half-close: { gone: 1 } }",
                        "3:27 deadlines.endpoints[GET /a].half-close = \"{...}\": not a single value; expected one of gone, tolerate"),
                entry(
                        "\"GET /a\": 30s",
                        "3:13 deadlines.endpoints[GET /a] = \"30s\": not a section; expected keys with values"),
                entry(
                        "/a: {}",
                        "3:3 deadlines.endpoints[/a] = \"{}\": not an endpoint; expected a method and a path such as \"GET /reports/{id}\""),
                entry(
                        "get /a: {}",
                        "3:3 deadlines.endpoints[get /a] = \"{}\": \"get\" is no method; expected an upper-case method such as GET or POST"),
                entry(
                        "GET /a/*: {}",
                        "3:3 deadlines.endpoints[GET /a/*] = \"{}\": a \"*\" in the path; expected literals and {name}, which is one segment"),
                entry(
                        "\"GET /a%20b\": {}",
                        "3:3 deadlines.endpoints[GET /a%20b] = \"{}\": an encoded character in the path; expected the character itself: paths are compared decoded"),
                entry(
                        "\"GET /a/../b\": {}",
                        "3:3 deadlines.endpoints[GET /a/../b] = \"{}\": a \".\" or \"..\" for a segment of the path; expected a method and a path such as \"GET /reports/{id}\""),
                entry(
                        "\"GET /a/{x}\": {}\n  \"GET /a/{y}/\": {}",
                        "4:3 deadlines.endpoints[GET /a/{y}/] = \"{}\": the same requests as \"GET /a/{x}\"; expected each endpoint once"),
                error("mode: &m off", "1:7 an anchor, which a policy may not use; " + PLAIN),
                error("settings: &s {}", "1:11 an anchor, which a policy may not use; " + PLAIN),
                error("mode: *m", "1:7 an alias, which a policy may not use; " + PLAIN),
                error("mode: !!str off", "1:7 a tag, which a policy may not use; " + PLAIN),
                error("settings: !x {}", "1:11 a tag, which a policy may not use; " + PLAIN),
                error("? [a]\n: b", "1:3 a key that is not a word; " + PLAIN),
                error("--- {}\n--- {}", "2:1 a second document; " + PLAIN),
                error("a: " + "[".repeat(20), "1:20 nested too deep; " + PLAIN),
                error("mode: a: b", "1:8 mapping values are not allowed here; " + PLAIN),
                error("mode: 'off\n", "2:1 found unexpected end of stream; " + PLAIN),
                error(
                        "mode: off\nzone: \"\\UFFFFFFFF\"",
                        "2:5 not YAML after this (For input string: \"FFFFFFFF\" under radix 16); " + PLAIN),
                error("%YAML 2.0\n---\nmode: off", "1:1 not YAML after this (Version{major=2, minor=0}); " + PLAIN),
                error("mode: off\rzone: UTC\r\n# \u0007", "3:3 the unprintable character U+0007; " + PLAIN),
                error("mode: off\nzone: \u0007", "2:7 the unprintable character U+0007; " + PLAIN),
                error("# \uD83D\uDE00\nzone: \uD800", "2:7 the unprintable character U+D800; " + PLAIN));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void eachErrorIsNamedAtItsPlace(String yaml, List<String> expected) {
        List<PolicyProblem> errors =
                PolicyFileTest.refusal(PolicyFile.parse("hangup.yaml", yaml)).errors();

        assertThat(errors).extracting(PolicyErrorsTest::brief).containsExactlyElementsOf(expected);
    }

    private static Arguments error(String yaml, String... expected) {
        return Arguments.of(yaml, List.of(expected));
    }

    private static Arguments setting(String line, String expected) {
        return error("mode: off\nsettings:\n  " + line, expected);
    }

    private static Arguments window(String line, String... expected) {
        return error("windows:\n  " + line, expected);
    }

    private static Arguments entry(String line, String expected) {
        return error("deadlines:\n endpoints:\n  " + line, expected);
    }

    /** The line that a reader sees, with the place shortened so that the tables above stay legible. */
    private static String brief(PolicyProblem problem) {
        return problem.toString().replaceFirst("^hangup\\.yaml, line (\\d+), column (\\d+):", "$1:$2");
    }
}
