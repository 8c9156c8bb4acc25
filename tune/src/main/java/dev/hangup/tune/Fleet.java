package dev.hangup.tune;

import dev.hangup.tune.prometheus.Credentials;
import dev.hangup.tune.prometheus.QueryApi;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the histograms of a whole fleet are, which take the place of one machine's logs: a group of options. */
final class Fleet {

    /** How far back to look unless somebody says. */
    static final String SINCE = "7d";

    @Option(
            names = "--prometheus",
            paramLabel = "URL",
            required = true,
            description = "A server with the HTTP API of Prometheus, such as http://prometheus.example.com:9090,"
                    + " instead of logs.")
    @Nullable
    String url;

    @Option(names = "--bearer-token-file", paramLabel = "FILE", description = "A file with a token.")
    @Nullable
    Path bearer;

    @Option(names = "--basic-auth-file", paramLabel = "FILE", description = "A file with user:password.")
    @Nullable
    Path basic;

    @Option(
            names = "--matching",
            paramLabel = "LABELS",
            description = "Which series, as in PromQL: 'job=\"shop\",env=\"live\"'. Default: all.")
    String matching = "";

    QueryApi api() {
        if (bearer != null && basic != null) {
            throw new IllegalArgumentException("--bearer-token-file or --basic-auth-file, not both");
        }
        Credentials credentials = bearer != null
                ? Credentials.bearer(bearer)
                : basic != null ? Credentials.basic(basic) : Credentials.NONE;
        return new QueryApi(String.valueOf(url), credentials);
    }

    /**
     * What a run is. There are no files here: a day is to a fleet what a file is to a log.
     *
     * @throws IllegalArgumentException if it is neither an hour nor a day
     */
    Runs runs(String runBy, ZoneId zone) {
        if (!List.of("file", "day", "hour").contains(runBy)) {
            throw new IllegalArgumentException("--run-by " + runBy + ": expected hour or day with --prometheus");
        }
        return new Runs(runBy.equals("file") ? "day" : runBy, zone);
    }
}
