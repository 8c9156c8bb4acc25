package dev.hangup.policy;

/**
 * What a new policy changes, for the log: of how many endpoints the entry is another, and which begin and which cease to cancel.
 * Annotations are not in it: the policy does not know them. Immutable. Made beside live requests: a look-up for each entry, two where
 * entries were removed, and nothing is kept of those that stay as they are.
 */
public final class PolicyChange {

    private static final String BY_DEFAULT = "GET and HEAD by default";

    private int added;
    private int changed;
    private int removed;
    private boolean modes;
    private final NameList begin = new NameList();
    private final NameList cease = new NameList();

    /** The way from one policy to another; with pauses, as {@link PolicyFile#policyGently()}. */
    public PolicyChange(Policy last, Policy next) {
        Pace pace = Pace.gentle();
        modes = last.mode() != next.mode();
        if (modes && next.mode() == Mode.CANCEL) {
            begin.add(BY_DEFAULT);
        } else if (modes && last.mode() == Mode.CANCEL) {
            cease.add(BY_DEFAULT);
        }
        int kept = 0;
        for (Policy.Named now : next.named()) {
            pace.step();
            Policy.Named before = last.named(now.rule().endpoint());
            if (before == null) {
                added++;
                compare(now, last, begin);
            } else {
                kept++;
                changed += before.entry().equals(now.entry()) ? 0 : 1;
                compare(before, now);
            }
        }
        removed = last.named().size() - kept;
        if (removed > 0) {
            for (Policy.Named before : last.named()) {
                pace.step();
                if (next.named(before.rule().endpoint()) == null) {
                    compare(before, next, cease);
                }
            }
        }
    }

    private void compare(Policy.Named before, Policy.Named now) {
        if (before.cancels() != now.cancels()) {
            modes = true;
            (now.cancels() ? begin : cease).add(now.rule().endpoint());
        }
    }

    /** An endpoint that the other policy does not name: its requests are treated there as those of a wider entry, or by default. */
    private void compare(Policy.Named here, Policy other, NameList different) {
        if (here.cancels()) {
            modes = true;
            String endpoint = here.rule().endpoint();
            int space = endpoint.indexOf(' ');
            if (!other.ruleFor(endpoint.substring(0, space), endpoint.substring(space + 1))
                    .treatment()
                    .cancels()) {
                different.add(endpoint);
            }
        }
    }

    /** Whether it is another mode that endpoints without one have, or other entries that cancel. */
    public boolean modes() {
        return modes;
    }

    /** Reads as {@code entries: 2 added, 1 changed, 0 removed; begin to cancel: GET /a, GET /b; cease to cancel: GET /c}. */
    public String describe() {
        return "entries: " + added + " added, " + changed + " changed, " + removed + " removed"
                + (begin.isEmpty() ? "" : "; begin to cancel: " + begin)
                + (cease.isEmpty() ? "" : "; cease to cancel: " + cease);
    }

    @Override
    public String toString() {
        return "PolicyChange(" + describe() + ")";
    }
}
