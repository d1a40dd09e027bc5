package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.harness.Markdown;
import java.util.Map;
import java.util.stream.Collectors;

/** What the mix says. */
final class MixReport {

  private MixReport() {}

  static String markdown(OtpMix.Measured mix) {
    double seconds = mix.seconds();
    OtpLedger.Reconciled ledger = mix.ledger();
    Markdown table = Markdown.table("what | in " + OtpHistory.time(seconds) + " | in 24 h, extrapolated | the historical product (S6)");
    row(table, "decisions about passcodes", mix.authentications(), seconds, "51.9 a second for 24 h with six replicas: 4.48 million");
    row(table, "codes that counted", ledger.codes(), seconds, "");
    mix.acknowledged().entrySet().stream()
        .filter(kind -> !kind.getKey().equals("codes"))
        .sorted(Map.Entry.comparingByKey())
        .forEach(kind -> row(table, kind.getKey(), kind.getValue(), seconds, ""));
    row(table, "pages of administrators", mix.administrators().pages(), seconds, "");
    row(table, "searches and archives of the log", mix.administrators().logJobs(), seconds, "");
    row(table, "growth of the database, bytes", mix.grown().database(), seconds, "");
    row(table, "growth of the store of marks, bytes", mix.grown().marks(), seconds, "");
    row(table, "growth of the log with its archive, bytes", mix.grown().log(), seconds, "149 MB for 1,000,000 entries");
    Markdown each = Markdown.table("of each decision | measured");
    each.row("decisions per second | %,.1f", mix.authentications() / seconds);
    each.row("decisions per CPU second of the node, with all else that it did | %,.0f", mix.authentications() / mix.cpuSeconds());
    each.row("time to an answer, p50 and p99, ms | %.2f and %.2f", mix.times().p50Ms(), mix.times().p99Ms());
    each.row("bytes of the database | %,.1f", (double) mix.grown().database() / mix.authentications());
    each.row("bytes of the store of marks | %,.1f", (double) mix.grown().marks() / mix.authentications());
    each.row("bytes of the log | %,.1f", (double) mix.grown().log() / mix.authentications());
    each.row(
        "sessions of administrators at the same time; pages that failed; p50 and p95 of a page, ms | %,d; %,d; %.0f and %.0f (S6: 432 and 218 sessions)",
        mix.administrators().sessions(), mix.administrators().failed(), mix.administrators().p50Millis(), mix.administrators().p95Millis());
    String quarters = mix.quarters().stream().map(quarter -> Markdown.format("%,d", quarter)).collect(Collectors.joining(", "));
    String told =
        Markdown.format(
            "%,d codes that counted were compared with the log and with the rows of their tokens: %,d lost, %,d counted twice. Of %,d changed\n"
                + "values, %,d are not as they were acknowledged. %,d requests had no answer.",
            ledger.codes(), ledger.lost(), ledger.twice(), ledger.changes(), ledger.lostChanges(), ledger.unknown());
    StringBuilder text = new StringBuilder("\n## A sustained mix, with reconciliation\n\n").append(told).append("\n\n");
    text.append("The quarters of the time had ").append(quarters).append(" decisions. What is said of 24 h is multiplied, and was not run.\n");
    text.append("Tables and logs that are new grow by whole pages and files: short runs say too much of the first, and nothing of compaction.\n");
    text.append(table).append(each);
    ledger.named().forEach(named -> text.append("\n- ").append(named));
    mix.unexpected().forEach(named -> text.append("\n- ").append(named));
    return text.append("\n").toString();
  }

  private static void row(Markdown table, String what, long measured, double seconds, String theirs) {
    table.row("%s | %,d | %,.0f | %s", what, measured, OtpLedger.inDay(measured, seconds), theirs);
  }
}
