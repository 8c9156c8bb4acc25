package dev.hangup.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What Prometheus reads: the scraped text, taken apart. */
final class Scrape {
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** Name of a family to its type. */
    final Map<String, String> types = new TreeMap<>();
    /** Name and labels of a series, as scraped, to its value. */
    final Map<String, Double> samples = new LinkedHashMap<>();

    private final Map<String, Set<String>> labels = new TreeMap<>();

    private Scrape() {}

    static Scrape of(PrometheusMeterRegistry registry) {
        Scrape scrape = new Scrape();
        registry.scrape().lines().forEach(scrape::line);
        return scrape;
    }

    private void line(String line) {
        Matcher type = TYPE.matcher(line);
        Matcher sample = SAMPLE.matcher(line);
        if (type.matches()) {
            types.put(type.group(1), type.group(2));
        } else if (!line.startsWith("#") && sample.matches()) {
            String name = sample.group(1);
            String keys = "";
            if (sample.group(2) != null) {
                keys = LABEL.matcher(sample.group(2))
                        .results()
                        .map(label -> label.group(1))
                        .collect(Collectors.joining(","));
            }
            samples.put(line.substring(0, line.lastIndexOf(' ')), Double.valueOf(sample.group(3)));
            labels.computeIfAbsent(name, any -> new TreeSet<>()).add(keys);
        } else if (!line.startsWith("# HELP")) {
            throw new AssertionError("a line that Prometheus would not read: " + line);
        }
    }

    /** The value of a series, or an error that shows what there is. */
    double value(String series) {
        Double value = samples.get(series);
        if (value == null) {
            throw new AssertionError("no " + series + " in\n" + String.join("\n", samples.keySet()));
        }
        return value;
    }

    boolean has(String series) {
        return samples.containsKey(series);
    }

    /** Name of each sample to the label sets that it comes with. */
    Map<String, Set<String>> labelSets() {
        return labels;
    }

    /** Series that must never fall, the cumulative parts of histograms among them. */
    Map<String, Double> counters() {
        return ofType("counter", "histogram");
    }

    Map<String, Double> gauges() {
        return ofType("gauge");
    }

    private Map<String, Double> ofType(String... wanted) {
        return samples.entrySet().stream()
                .filter(sample -> Set.of(wanted).contains(type(sample.getKey())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private String type(String series) {
        String name = series.replaceFirst("\\{.*", "");
        String family = name.replaceFirst("_(bucket|count|sum)$", "");
        return types.getOrDefault(name, types.getOrDefault(family, "untyped"));
    }

    /** The values that a label takes in all series of all families. */
    Set<String> valuesOf(String label) {
        return samples.keySet().stream()
                .flatMap(series -> LABEL.matcher(series).results())
                .filter(found -> found.group(1).equals(label))
                .map(found -> found.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
