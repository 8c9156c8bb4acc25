package dev.hangup.it;

import org.jspecify.annotations.Nullable;

/** What may stand between a caller and a server: a row of the README's table each. */
enum Hop {
    NGINX(
            Program.NGINX,
            false,
            "nginx",
            "`proxy_ignore_client_abort off` (the default)",
            "proxy_ignore_client_abort off;"),
    NGINX_IGNORING(Program.NGINX, false, "nginx", "`proxy_ignore_client_abort on`", "proxy_ignore_client_abort on;"),
    NGINX_HTTP2(
            Program.NGINX,
            true,
            "nginx, HTTP/2 before it",
            "`proxy_ignore_client_abort off` (the default)",
            "proxy_ignore_client_abort off;"),
    HAPROXY(Program.HAPROXY, false, "HAProxy", "`option abortonclose`", "option abortonclose"),
    HAPROXY_PLAIN(Program.HAPROXY, false, "HAProxy", "without it (the default before 3.3)", "no option abortonclose"),
    HAPROXY_HTTP2(Program.HAPROXY, true, "HAProxy, HTTP/2 before it", "`option abortonclose`", "option abortonclose"),
    HAPROXY_HTTP2_PLAIN(
            Program.HAPROXY,
            true,
            "HAProxy, HTTP/2 before it",
            "without it (the default before 3.3)",
            "no option abortonclose"),
    HAPROXY_TCP(Program.HAPROXY, false, "HAProxy", "`mode tcp`", "mode tcp"),
    HALF_OPEN(null, false, "a TCP relay that keeps its own connection open", "", "");

    private final @Nullable Program program;
    private final boolean http2;
    private final String title;
    private final String setting;
    private final String directive;

    Hop(@Nullable Program program, boolean http2, String title, String setting, String directive) {
        this.program = program;
        this.http2 = http2;
        this.title = title;
        this.setting = setting;
        this.directive = directive;
    }

    /** The program that it is a setting of; null for one that the test has written itself. */
    @Nullable
    Program program() {
        return program;
    }

    /** Whether callers reach it by HTTP/2 over TLS; it speaks HTTP/1.1 to the server in any case. */
    boolean http2() {
        return http2;
    }

    String title() {
        return title;
    }

    /** For the README. */
    String setting() {
        return setting;
    }

    /** For the program's configuration. */
    String directive() {
        return directive;
    }
}
