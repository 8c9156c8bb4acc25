package dev.hangup.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree of path segments in which an {@link EndpointIndex} searches. Immutable.
 *
 * <p>The most specific template is not always on the branch that looks the most specific at the first segment: of
 * {@code /a/{x}/summaries} and {@code /a/bb/{y}}, the path {@code /a/bb/summaries} is the first one's. So every branch that
 * matches is followed, except those that hold nothing better than what has been found.
 */
final class PathNode {

    private static final int NONE = Integer.MAX_VALUE;
    private static final int[] NO_PREFIX = {};

    private final SegmentTable<PathNode> literals;
    private final int[] prefixLengths;
    private final SegmentTable<List<Mixed>> mixedByPrefix;
    private final @Nullable PathNode variable;
    private final @Nullable Rule rule;
    private final int rank;
    private final int bestBelow;

    /** A segment with literals and variables, and where it leads. */
    record Mixed(Template.Segment segment, PathNode next) {

        String prefix() {
            return segment.literals().get(0);
        }

        /** Whether the part of the path matches; that it begins with the prefix is known. */
        boolean matches(String path, int from, int to) {
            List<String> literals = segment.literals();
            int last = literals.size() - 1;
            int at = from + prefix().length();
            for (int i = 1; i < last; i++) {
                String literal = literals.get(i);
                at = path.indexOf(literal, at + 1);
                if (at < 0) {
                    return false;
                }
                at += literal.length();
            }
            String suffix = literals.get(last);
            int suffixAt = to - suffix.length();
            return suffixAt > at && path.startsWith(suffix, suffixAt);
        }
    }

    /**
     * A node with its children.
     *
     * @param rule what a path that ends here gets, or null if no template ends here
     * @param rank the template's place in the order of specificity, the most specific being 0
     */
    PathNode(
            Map<String, PathNode> literals,
            List<Mixed> mixed,
            @Nullable PathNode variable,
            @Nullable Rule rule,
            int rank) {
        this.literals = SegmentTable.of(literals);
        Map<String, List<Mixed>> byPrefix = new HashMap<>(0);
        for (Mixed child : mixed) {
            byPrefix.computeIfAbsent(child.prefix(), prefix -> new ArrayList<>())
                    .add(child);
        }
        this.mixedByPrefix = SegmentTable.of(byPrefix);
        this.prefixLengths = mixed.isEmpty()
                ? NO_PREFIX
                : byPrefix.keySet().stream().mapToInt(String::length).distinct().toArray();
        this.variable = variable;
        this.rule = rule;
        this.rank = rule == null ? NONE : rank;
        int best = variable == null ? this.rank : Math.min(this.rank, variable.bestBelow);
        for (PathNode child : literals.values()) {
            best = Math.min(best, child.bestBelow);
        }
        for (Mixed child : mixed) {
            best = Math.min(best, child.next().bestBelow);
        }
        this.bestBelow = best;
    }

    @Nullable
    Rule rule() {
        return rule;
    }

    /**
     * The end of the most specific template that matches, or the one found so far if nothing here is better.
     *
     * @param from where the next segment begins in the path; beyond {@code end} if there is none
     */
    @Nullable
    PathNode search(String path, int from, int end, @Nullable PathNode found) {
        if (bestBelow >= rank(found)) {
            return found;
        }
        if (from > end) {
            return rank < rank(found) ? this : found;
        }
        int slash = path.indexOf('/', from);
        int to = slash < 0 || slash > end ? end : slash;
        if (to == from) {
            return found;
        }
        PathNode best = found;
        PathNode literal = literals.get(path, from, to);
        if (literal != null) {
            best = literal.search(path, to + 1, end, best);
        }
        for (int length : prefixLengths) {
            best = searchMixed(length, path, from, to, end, best);
        }
        return variable == null ? best : variable.search(path, to + 1, end, best);
    }

    private @Nullable PathNode searchMixed(
            int prefixLength, String path, int from, int to, int end, @Nullable PathNode found) {
        List<Mixed> candidates = from + prefixLength < to ? mixedByPrefix.get(path, from, from + prefixLength) : null;
        if (candidates == null) {
            return found;
        }
        PathNode best = found;
        for (int i = 0; i < candidates.size(); i++) {
            Mixed candidate = candidates.get(i);
            if (candidate.matches(path, from, to)) {
                best = candidate.next().search(path, to + 1, end, best);
            }
        }
        return best;
    }

    private static int rank(@Nullable PathNode node) {
        return node == null ? NONE : node.rank;
    }
}
