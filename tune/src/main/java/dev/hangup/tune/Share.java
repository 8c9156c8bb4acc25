package dev.hangup.tune;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A part of a whole, as it is written on the command line: {@code 8%} or {@code 0.08}.
 *
 * @param exact from 0 to 1
 */
record Share(BigDecimal exact) {

    static Share parse(String text) {
        boolean percent = text.endsWith("%");
        try {
            BigDecimal number = new BigDecimal(percent ? text.substring(0, text.length() - 1) : text);
            BigDecimal exact = percent ? number.movePointLeft(2) : number;
            if (exact.signum() >= 0 && exact.compareTo(BigDecimal.ONE) <= 0) {
                return new Share(exact);
            }
        } catch (NumberFormatException malformed) {
            throw problem(text, malformed);
        }
        throw problem(text, null);
    }

    double value() {
        return exact.doubleValue();
    }

    private static IllegalArgumentException problem(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "\"" + text + "\" is no share; expected 0 to 1 or 0% to 100%, such as 0.08 or 8%", cause);
    }

    @Override
    public String toString() {
        return exact.movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }
}
