package dev.hangup.tune;

import java.math.BigDecimal;

/**
 * A part of a whole, as it is written on the command line: {@code 8%} or {@code 0.08}.
 *
 * @param value from 0 to 1
 */
record Share(double value) {

    static Share parse(String text) {
        boolean percent = text.endsWith("%");
        try {
            BigDecimal number = new BigDecimal(percent ? text.substring(0, text.length() - 1) : text);
            double value = (percent ? number.movePointLeft(2) : number).doubleValue();
            if (value >= 0 && value <= 1) {
                return new Share(value);
            }
        } catch (NumberFormatException malformed) {
            throw problem(text, malformed);
        }
        throw problem(text, null);
    }

    private static IllegalArgumentException problem(String text, @org.jspecify.annotations.Nullable Throwable cause) {
        return new IllegalArgumentException(
                "\"" + text + "\" is no share; expected 0 to 1 or 0% to 100%, such as 0.08 or 8%", cause);
    }

    @Override
    public String toString() {
        return BigDecimal.valueOf(value).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }
}
