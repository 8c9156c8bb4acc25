package dev.hangup.demo;

import java.util.LinkedHashMap;
import java.util.Map;

/** A report as JSON: an object of figures for the arithmetic and for each phase. */
final class ReportJson {
    private ReportJson() {}

    static String of(Report report) {
        Scenario scenario = report.scenario();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("scale", scenario.scale());
        json.put("pool", scenario.pool());
        json.put("predicted", predicted(report.predicted()));
        for (String phase : report.results().keySet()) {
            json.put(phase, figures(report.steady(phase)));
        }
        Map<String, Object> added = new LinkedHashMap<>();
        added.put("predicted", Arithmetic.seconds(report.predicted().addedBy(Scenario.ATTEMPTS)));
        added.put(Phase.WITHOUT, report.addedWithout());
        added.put(Phase.WITH, report.addedWith());
        json.put("unowned_seconds_added", added);
        json.put("agreement", report.agreement().json());
        return Json.of(json);
    }

    private static Map<String, Object> predicted(Arithmetic arithmetic) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pool_share", arithmetic.poolShare());
        json.put("unowned_in_flight", arithmetic.unownedInFlight());
        json.put("pool_available", arithmetic.poolAvailable());
        json.put("served_in_time_per_second", arithmetic.servablePerSecond());
        json.put("served_in_time_share", arithmetic.servableShare());
        return json;
    }

    private static Map<String, Object> figures(Figures figures) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pool_share", figures.poolShare());
        json.put("unowned_in_flight", figures.unownedInFlight());
        json.put("pool_available", figures.poolAvailable());
        json.put("served_in_time_per_second", figures.servedInTimePerSecond());
        json.put("served_in_time_share", figures.servedInTimeShare());
        json.put("committed_for_nobody", figures.committedForNobody());
        return json;
    }
}
