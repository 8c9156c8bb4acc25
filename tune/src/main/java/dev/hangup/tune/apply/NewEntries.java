package dev.hangup.tune.apply;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyOutline;
import dev.hangup.policy.Rule;
import dev.hangup.tune.apply.Insertion.Content;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Endpoints that a policy does not name yet: where their entries go, and how they are written. */
final class NewEntries {

    private NewEntries() {}

    static boolean isEndpoint(String name) {
        try {
            Policy.builder().endpoint(name, Entry.INHERITED);
            return true;
        } catch (IllegalArgumentException no) {
            return false;
        }
    }

    /** The rule that such requests have had so far. */
    static Rule ruleNow(Policy policy, String endpoint) {
        int space = endpoint.indexOf(' ');
        String path = endpoint.substring(space + 1).strip().replaceAll("\\{[^}]*\\}", "0");
        return policy.ruleFor(endpoint.substring(0, space), path);
    }

    /** Whether an entry goes on one line, as the last of the others does. */
    static boolean inBraces(PolicySheet sheet) {
        List<PolicyOutline.Member> others = sheet.section("deadlines", "endpoints")
                .map(PolicyOutline::members)
                .orElse(List.of());
        return others.isEmpty() || others.get(others.size() - 1).value().kind() != PolicyOutline.Kind.BLOCK;
    }

    /** As a key that holds in a block and in braces. */
    static String quoted(String endpoint) {
        return '"' + endpoint.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Adds entries to the section of endpoints, which is made where it is not there. */
    static void add(PolicySheet sheet, Insertion insertion, Map<String, Content> entries) {
        Content endpoints = Content.section(entries, false);
        Optional<PolicyOutline.Member> deadlines = member(sheet.root(), "deadlines");
        if (deadlines.isEmpty()) {
            Content section = Content.section(Map.of("endpoints", endpoints), false);
            insertion.addToRoot(sheet.root(), Map.of("deadlines", section));
            return;
        }
        Optional<PolicyOutline.Member> there = member(deadlines.get().value(), "endpoints");
        if (there.isEmpty()) {
            insertion.add(deadlines.get(), Map.of("endpoints", endpoints));
        } else {
            insertion.add(there.get(), entries);
        }
    }

    private static Optional<PolicyOutline.Member> member(PolicyOutline section, String key) {
        return section.members().stream()
                .filter(member -> member.key().text().equals(key))
                .findFirst();
    }
}
