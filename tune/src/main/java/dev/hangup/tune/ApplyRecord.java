package dev.hangup.tune;

import dev.hangup.tune.apply.Revision;
import dev.hangup.tune.apply.Ruling;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was decided, as JSON: an object for each recommendation, with what was done with it and the recommendation itself, its
 * evidence.
 *
 * @param written whether the policy file has been replaced
 */
record ApplyRecord(Path policy, Revision revision, List<Recommendation> recommendations, boolean written) {

    /** A list over several lines. */
    String json() {
        return Json.indented(entries(Instant.now())) + "\n";
    }

    /** Appends a line for each recommendation; all at once, so that two programs' lines do not mix. */
    void appendTo(Path history) {
        StringBuilder lines = new StringBuilder();
        entries(Instant.now()).forEach(entry -> lines.append(Json.line(entry)).append('\n'));
        try {
            Files.write(
                    history,
                    lines.toString().getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException failed) {
            String done = written ? policy + " is written, but " : "";
            throw new UnreadableInput(done + history + " cannot be appended to: " + failed, failed);
        }
    }

    private List<Map<String, @Nullable Object>> entries(Instant now) {
        Map<String, Recommendation> byCell = new HashMap<>();
        recommendations.forEach(it -> byCell.putIfAbsent(cell(it.endpoint(), it.window()), it));
        List<Map<String, @Nullable Object>> entries = new ArrayList<>();
        for (Ruling ruling : revision.rulings()) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("at", now.truncatedTo(ChronoUnit.SECONDS).toString());
            entry.put("policy", policy.toString());
            entry.put("endpoint", ruling.advice().target().name());
            entry.put("window", ruling.advice().window());
            entry.put("from", Json.seconds(ruling.from()));
            entry.put("to", Json.seconds(ruling.to()));
            entry.put("decision", ruling.course().key());
            entry.put("reason", ruling.reason());
            entry.put("written", written && ruling.changes());
            Recommendation it = byCell.get(
                    cell(ruling.advice().target().name(), ruling.advice().window()));
            entry.put("recommendation", it == null ? null : RecommendationJson.map(it));
            entries.add(entry);
        }
        return entries;
    }

    private static String cell(String endpoint, String window) {
        return endpoint + "\n" + window;
    }
}
