package dev.hangup.metrics;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One meter per constant of an enum, made when it is first needed; finding one that exists is an array access. */
final class PerConstant<E extends Enum<E>, M> {
    private final AtomicReferenceArray<@Nullable M> made;
    private final Function<String, M> make;

    /** @param make from a constant's label value to its meter */
    PerConstant(Class<E> constants, Function<String, M> make) {
        this.made = new AtomicReferenceArray<>(constants.getEnumConstants().length);
        this.make = make;
    }

    @SuppressWarnings("EnumOrdinal") // an index for the life of this process only
    M of(E constant) {
        M known = made.get(constant.ordinal());
        return known != null ? known : make(constant);
    }

    @SuppressWarnings("EnumOrdinal")
    private synchronized M make(E constant) {
        M known = made.get(constant.ordinal());
        if (known == null) {
            known = make.apply(constant.name().toLowerCase(Locale.ROOT));
            made.set(constant.ordinal(), known);
        }
        return known;
    }
}
