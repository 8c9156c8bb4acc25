package dev.hangup.tune.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class PageTest {

    private static Panel panel(String endpoint, Panel.Marks marks, Curve patience) {
        Curve finished = Curve.of(new double[] {0.2, 1, 4}, new long[] {900, 90, 10}, new long[] {0, 0, 0});
        return new Panel(
                endpoint,
                "normal",
                1_000,
                finished,
                patience,
                2,
                marks,
                0.99,
                0.99,
                "",
                "the slowest success took <4s>",
                "raise",
                new Panel.Tail(3, 7, 0),
                List.of(new Panel.Run("<a>.log", 500, 0.98), new Panel.Run("b.log", 500, 1)));
    }

    @Test
    void namesAreTextAndNothingElse() {
        String page = Page.of(
                List.of(panel("GET /<script>alert('1')</script>\"&", new Panel.Marks(0.5, 3.0, 0.5, 1.0), Curve.NONE)),
                "<b>");
        assertThat(page)
                .doesNotContain("<script", "<a>.log", "<b>,", "'1'")
                .contains("GET /&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;")
                .contains("floor and current 500\u00A0ms")
                .contains("1 of 2 runs meets 99")
                .contains("raise: the slowest success took &lt;4s&gt;.");
    }

    @Test
    void itAsksForNothingFromOutside() {
        String page = Page.of(List.of(panel("GET /a", new Panel.Marks(null, null, null, null), Curve.NONE)), "x");
        assertThat(page.replace("data:,", "")).doesNotContain("http://", "https://", "url(", "src=", "@import", "//");
    }

    /** Drawings are XML: whatever the figures are, none may break one. */
    @Test
    void everyDrawingIsWellFormed() throws Exception {
        Curve patience = Curve.of(new double[] {2}, new long[] {2}, new long[] {0});
        for (Panel.Marks marks : List.of(
                new Panel.Marks(null, null, null, null),
                new Panel.Marks(0.0, 1e6, 1e-3, 30.0),
                new Panel.Marks(1.0, 1.0, 1.0, 1.0))) {
            String chart = CurveChart.of(panel("GET /a", marks, patience)).replace("\u00A0", " ");
            assertThat(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(new InputSource(new StringReader(chart)))
                            .getElementsByTagName("path")
                            .getLength())
                    .isEqualTo(2);
            assertThat(chart).doesNotContain("NaN", "Infinity");
        }
    }
}
