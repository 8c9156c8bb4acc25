package dev.hangup.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rule of the most specific template that matches a request: one tree for each method, built once, searched by
 * any thread without a lock or an allocation.
 */
final class EndpointIndex {

    private final Map<String, PathNode> byMethod;

    EndpointIndex(Map<Template, Rule> rules, Pace pace) {
        List<Template> ordered = new ArrayList<>(rules.keySet());
        ordered.sort((one, other) -> {
            pace.step();
            return Template.MOST_SPECIFIC_FIRST.compare(one, other);
        });
        Map<String, Growing> growing = new HashMap<>();
        for (int rank = 0; rank < ordered.size(); rank++) {
            pace.step();
            Template template = ordered.get(rank);
            Growing node = growing.computeIfAbsent(template.method(), method -> new Growing(null));
            for (Template.Segment segment : template.segments()) {
                node = node.children.computeIfAbsent(segment.shape(), shape -> new Growing(segment));
            }
            node.rule = rules.get(template);
            node.rank = rank;
        }
        Map<String, PathNode> grown = new HashMap<>();
        growing.forEach((method, root) -> grown.put(method, root.grown(pace)));
        byMethod = Map.copyOf(grown);
    }

    /** The rule, or null if no template matches. A HEAD for which there is none is taken as a GET. */
    @Nullable
    Rule find(String method, String path) {
        Rule rule = search(byMethod.get(method), path);
        return rule == null && method.equals("HEAD") ? search(byMethod.get("GET"), path) : rule;
    }

    private static @Nullable Rule search(@Nullable PathNode root, String path) {
        boolean rooted = path.isEmpty() || path.charAt(0) == '/';
        if (root == null || !rooted) {
            return null;
        }
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        PathNode found = root.search(path, 1, end, null);
        return found == null ? null : found.rule();
    }

    /** A node while templates are still being added. */
    private static final class Growing {
        final Template.@Nullable Segment segment;
        final Map<String, Growing> children = new LinkedHashMap<>();

        @Nullable
        Rule rule;

        int rank;

        Growing(Template.@Nullable Segment segment) {
            this.segment = segment;
        }

        PathNode grown(Pace pace) {
            pace.step();
            Map<String, PathNode> literals = new HashMap<>();
            List<PathNode.Mixed> mixed = new ArrayList<>();
            PathNode variable = null;
            for (Growing child : children.values()) {
                Template.Segment segment = Objects.requireNonNull(child.segment);
                PathNode node = child.grown(pace);
                if (segment.isLiteral()) {
                    literals.put(segment.shape(), node);
                } else if (segment.isVariable()) {
                    variable = node;
                } else {
                    mixed.add(new PathNode.Mixed(segment, node));
                }
            }
            return new PathNode(literals, mixed, variable, rule, rank);
        }
    }
}
