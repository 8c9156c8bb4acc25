/**
 * Recommendations as a page to look at: one file of HTML and SVG without a script, which asks no network for anything.
 *
 * <p>A {@link dev.hangup.tune.report.Panel} is one endpoint in one window, a {@link dev.hangup.tune.report.Page} all of them.
 * Drawings hold no text: their labels are HTML beside them, so that a narrow screen has narrower drawings and not smaller letters.
 */
@NullMarked
package dev.hangup.tune.report;

import org.jspecify.annotations.NullMarked;
