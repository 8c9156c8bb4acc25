package dev.hangup.tune.apply;

import dev.hangup.policy.PolicyOutline;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a change of an entry's {@code normal} does to the windows for which the entry has no value: they follow it. They may follow
 * it up, which is what the file's writer meant by leaving them out; not down, which nobody has evidence for, and not against a
 * decision of their own or a value of the defaults that {@code normal} would hide.
 */
final class Inherited {

    private final Map<String, Duration> pinned = new LinkedHashMap<>();
    private final Map<String, Duration> following = new LinkedHashMap<>();
    private final PolicySheet sheet;
    private final Target target;
    private final @Nullable Duration normal;

    Inherited(PolicySheet sheet, Target target, PolicyOutline entry, List<Ruling> all) {
        this.sheet = sheet;
        this.target = target;
        this.normal = find(all, PolicySheet.NORMAL)
                .filter(Ruling::changes)
                .map(Ruling::to)
                .orElse(null);
        if (normal == null) {
            return;
        }
        boolean hides = entry.at(PolicySheet.NORMAL).isEmpty();
        for (String window : sheet.windows()) {
            Duration before = sheet.value(target, window);
            boolean free = !window.equals(PolicySheet.NORMAL)
                    && entry.at(window).isEmpty()
                    && find(all, window).filter(Ruling::changes).isEmpty();
            if (!free || before.equals(normal)) {
                continue;
            }
            boolean hidden = hides && sheet.inDefaults(target.kind(), window) != null;
            boolean lower = normal.compareTo(before) < 0;
            boolean decided = find(all, window)
                    .filter(d -> d.advice().recommended() != null)
                    .isPresent();
            (hidden || lower || decided ? pinned : following).put(window, hidden || lower || decided ? before : normal);
        }
    }

    /** The windows that get a value of their own, which is the one that they have had all along. */
    Map<String, Duration> pinned() {
        return pinned;
    }

    /** The windows whose value changes with {@code normal}. */
    Map<String, Duration> following() {
        return following;
    }

    /** What a window has in the end if nobody writes it out. */
    Duration after(String window) {
        return normal == null ? sheet.value(target, window) : normal;
    }

    private static Optional<Ruling> find(List<Ruling> all, String window) {
        return all.stream()
                .filter(ruling -> ruling.advice().window().equals(window))
                .findFirst();
    }
}
