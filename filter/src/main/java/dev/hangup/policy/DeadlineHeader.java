package dev.hangup.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A header in which a caller declares how long it will wait. Further ones than those of {@link DeadlineHeaders} are found with
 * {@link java.util.ServiceLoader}, by the class loader of this interface. Methods are called by any thread, for each request that
 * carries the header and comes from a trusted peer: they must not block, and must bear any text.
 */
public interface DeadlineHeader {

    /** What the policy calls it, and the value of the label {@code header} in metrics: lower case, digits and {@code -}. */
    String name();

    /** The header's name in a request, whose case does not matter. */
    default String field() {
        return name();
    }

    /**
     * Reads the header. An exception counts as {@link Reading#REJECTED}.
     *
     * @param lines its values in one request, one or more, in their order; each at most {@link DeadlineHeaders#LONGEST} characters
     */
    Reading read(List<String> lines);

    /**
     * What a line says besides, as a line of its own; empty if nothing. Asked where a request is passed on and its deadline is told
     * anew, of lines that are not {@link Reading#SILENT}, of any length.
     */
    default String rest(String line) {
        return "";
    }

    /**
     * The value that tells a server downstream how long it is waited for.
     *
     * @param span above zero; what is less than the header's unit is told as one unit
     */
    String format(Duration span);

    /** What a header says. Immutable; the two without a span are compared by identity. */
    final class Reading {
        /** It is well-formed and says nothing about time. */
        public static final Reading SILENT = new Reading(null);

        /** It is malformed, zero, negative, said twice, or more than can be counted. */
        public static final Reading REJECTED = new Reading(null);

        private final @Nullable Duration span;

        private Reading(@Nullable Duration span) {
            this.span = span;
        }

        /**
         * It declares that its caller waits for so long. More than a year is a year.
         *
         * @throws IllegalArgumentException if the span is not above zero
         */
        public static Reading of(Duration span) {
            if (span.isNegative() || span.isZero()) {
                throw new IllegalArgumentException("a caller waits for " + span + "; expected more than zero");
            }
            return new Reading(span.compareTo(Durations.LONGEST) > 0 ? Durations.LONGEST : span);
        }

        /** Above zero and at most a year; null if nothing is declared. */
        public @Nullable Duration span() {
            return span;
        }

        @Override
        public String toString() {
            return span != null ? Durations.format(span) : this == SILENT ? "silent" : "rejected";
        }
    }
}
