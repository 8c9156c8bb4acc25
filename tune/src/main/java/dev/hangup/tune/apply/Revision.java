package dev.hangup.tune.apply;

import dev.hangup.policy.Mode;
import dev.hangup.policy.PolicyOutline;
import dev.hangup.policy.Rule;
import dev.hangup.tune.apply.Insertion.Content;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A policy's text with decisions carried out: their values, and nothing else, are other than before. */
public final class Revision {

    private final PolicySheet sheet;
    private final Edits edits;
    private final Insertion insertion;
    private final List<Ruling> rulings = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    /** Of each entry that is revised or made, for which target that is: two names may mean one. */
    private final Map<String, Target> taken = new HashMap<>();
    /** What the file must say in the end, by cell. */
    private final Map<String, Duration> expected;

    private Revision(PolicySheet sheet) {
        this.sheet = sheet;
        this.edits = new Edits(sheet.text());
        this.insertion = new Insertion(edits, sheet.root());
        this.expected = sheet.values();
    }

    /**
     * Carries decisions out.
     *
     * @throws IllegalStateException if the new text would say anything that was not decided, which is a defect of this class
     */
    public static Revision of(PolicySheet sheet, List<Ruling> rulings) {
        Revision revision = new Revision(sheet);
        Map<Target, List<Ruling>> byTarget = rulings.stream()
                .collect(Collectors.groupingBy(d -> d.advice().target(), LinkedHashMap::new, Collectors.toList()));
        Map<Target, List<Ruling>> without = new LinkedHashMap<>();
        byTarget.forEach((target, all) -> {
            Optional<PolicyOutline.Member> entry = sheet.entry(target);
            List<Ruling> known = revision.known(target, entry, all);
            if (entry.isPresent()) {
                revision.revise(entry.get(), target, known);
            } else {
                without.put(target, known);
            }
        });
        revision.addEntries(without);
        revision.check();
        return revision;
    }

    /** The decisions, with those that the file has no place for turned into such. */
    public List<Ruling> rulings() {
        return rulings;
    }

    /** What else a reader of the result should know. */
    public List<String> notes() {
        return notes;
    }

    public boolean changes() {
        return !edits.isEmpty();
    }

    public String text() {
        return edits.after();
    }

    /** As a unified diff, with the file called by that name. */
    public String diff(String name) {
        return UnifiedDiff.of(edits, name);
    }

    /** What has no place in the file, or has it twice, is left out. */
    private List<Ruling> known(Target target, Optional<PolicyOutline.Member> entry, List<Ruling> all) {
        String place = target.kind()
                + entry.map(there -> there.key().text()).orElseGet(() -> PolicySheet.shape(target.name()));
        Target first = taken.putIfAbsent(place, target);
        Set<String> windows = new HashSet<>();
        return all.stream()
                .map(ruling -> {
                    String window = ruling.advice().window();
                    if (first != null) {
                        return ruling.skip("is the same as " + first);
                    }
                    if (!sheet.windows().contains(window)) {
                        return ruling.skip("the policy has no such window");
                    }
                    return windows.add(window) ? ruling : ruling.skip("is there twice, and the first counts");
                })
                .toList();
    }

    private void revise(PolicyOutline.Member entry, Target target, List<Ruling> all) {
        rulings.addAll(all);
        Map<String, Ruling> changed = changed(all);
        if (changed.isEmpty()) {
            return;
        }
        Map<String, Content> added = new LinkedHashMap<>();
        changed.forEach((window, ruling) -> {
            Optional<PolicyOutline> value = entry.value().at(window);
            if (value.isPresent()) {
                WrittenValue.replace(edits, value.get(), ruling.to());
            } else {
                added.put(window, Content.value(WrittenValue.of(ruling.to())));
            }
            expect(entry, target, window, ruling.to());
        });
        Inherited inherited = new Inherited(sheet, target, entry.value(), all);
        inherited.pinned().forEach((window, value) -> {
            added.put(window, Content.value(WrittenValue.of(value)));
            notes.add(target + ", " + window + ": stays " + WrittenValue.of(value)
                    + " and is written out, because it would follow normal");
        });
        inherited.following().forEach((window, value) -> {
            expect(entry, target, window, value);
            notes.add(target + ", " + window + ": follows normal to " + WrittenValue.of(value));
        });
        if (!added.isEmpty()) {
            insertion.add(entry, added);
        }
    }

    private void expect(PolicyOutline.Member entry, Target target, String window, Duration value) {
        expected.put(PolicySheet.cell(target.kind(), entry.key().text(), window), value);
    }

    private void addEntries(Map<Target, List<Ruling>> without) {
        boolean flow = NewEntries.inBraces(sheet);
        Map<String, Content> added = new LinkedHashMap<>();
        without.forEach((target, all) -> {
            Map<String, Ruling> changed = changed(all);
            String obstacle = changed.isEmpty() ? "" : obstacle(target);
            if (changed.isEmpty() || !obstacle.isEmpty()) {
                all.forEach(d -> rulings.add(d.changes() ? d.skip(obstacle) : d));
                return;
            }
            rulings.addAll(all);
            Map<String, Content> members = new LinkedHashMap<>();
            if (sheet.policy().mode() == Mode.CANCEL && !isRead(target)) {
                // Naming it must not make it one that is cancelled.
                members.put("mode", Content.value(Mode.OBSERVE.key()));
            }
            Map<String, Duration> values = new LinkedHashMap<>();
            changed.forEach((window, ruling) -> values.put(window, ruling.to()));
            PolicyOutline nothing = new PolicyOutline(PolicyOutline.Kind.NOTHING, "", 0, 0, List.of());
            Inherited inherited = new Inherited(sheet, target, nothing, all);
            values.putAll(inherited.pinned());
            for (String window : sheet.windows()) {
                expected.put(
                        PolicySheet.cell(target.kind(), target.name(), window),
                        values.getOrDefault(window, inherited.after(window)));
            }
            values.forEach((window, value) -> members.put(window, Content.value(WrittenValue.of(value))));
            added.put(NewEntries.quoted(target.name()), Content.section(members, flow));
        });
        if (!added.isEmpty()) {
            NewEntries.add(sheet, insertion, added);
        }
    }

    /** Why the target can have no entry of its own; empty if it can. */
    private String obstacle(Target target) {
        if (target.kind() == Target.Kind.SOURCE) {
            return "the policy has no such source";
        }
        if (!NewEntries.isEndpoint(target.name())) {
            return "no endpoint that a policy can name";
        }
        Rule rule = NewEntries.ruleNow(sheet.policy(), target.name());
        return rule.named() ? "is treated by the entry " + rule.endpoint() + "; give it its own by hand" : "";
    }

    private static boolean isRead(Target target) {
        return target.name().startsWith("GET ") || target.name().startsWith("HEAD ");
    }

    private static Map<String, Ruling> changed(List<Ruling> all) {
        Map<String, Ruling> changed = new LinkedHashMap<>();
        all.stream()
                .filter(Ruling::changes)
                .forEach(ruling -> changed.put(ruling.advice().window(), ruling));
        return changed;
    }

    private void check() {
        Map<String, Duration> result = PolicySheet.of("the new policy", text()).values();
        if (!result.equals(expected)) {
            throw new IllegalStateException(
                    "the new policy says other than decided: " + result + " and not " + expected);
        }
    }
}
