package dev.hangup.tune.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** How figures and names are written into a page. */
final class Markup {

    private Markup() {}

    /** Text that a page shows as it is, in an element and in an attribute. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** {@code 2.85 s}, {@code 120 ms}; the unit does not stand alone in the next line. */
    static String seconds(double seconds) {
        return seconds >= 1 || seconds == 0 ? figure(seconds, 3) + "\u00A0s" : figure(seconds * 1_000, 3) + "\u00A0ms";
    }

    /** {@code 99.62 %}: near the whole with as many digits as tell it from the whole. */
    static String share(double share) {
        double misses = 100 * (1 - share);
        if (misses <= 0) {
            return "100\u00A0%";
        }
        int decimals = misses >= 10 ? 0 : misses >= 1 ? 1 : Math.min(2 + (int) Math.floor(-Math.log10(misses)), 5);
        BigDecimal cut = new BigDecimal(100 * share + 1e-9).setScale(decimals, java.math.RoundingMode.FLOOR);
        return cut.stripTrailingZeros().toPlainString() + "\u00A0%";
    }

    /** With thin spaces between the thousands. */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count).replace(',', '\u202F');
    }

    /** A place or a size in a drawing or a style, in hundredths of the whole. */
    static String percent(double part) {
        return figure(Math.round(part * 1e4) / 1e2, 6) + "%";
    }

    static String figure(double value, int digits) {
        BigDecimal rounded =
                new BigDecimal(value).round(new MathContext(digits)).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }
}
