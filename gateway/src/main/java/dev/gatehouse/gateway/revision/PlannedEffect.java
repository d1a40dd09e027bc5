package dev.gatehouse.gateway.revision;

import dev.gatehouse.gateway.cli.SafeText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Which requests people would gain or lose, as {@code /admin/v1/revisions?dryRun=true} answers. */
public record PlannedEffect(
    long recorded,
    long asked,
    double coverage,
    List<Change> gains,
    List<Change> losses,
    long moreGains,
    long moreLosses,
    List<String> unknownAttributes) {

  /** A request of a person. */
  public record Change(String realm, String person, String method, String url, String reason) {}

  /** Prints everything for people. */
  void print(PrintWriter out) {
    if (recorded == 0) {
      out.println("No requests of people were recorded in the last day: the effect on them is unknown.");
      return;
    }
    losses.forEach(change -> print(change, "lose", out));
    more(moreLosses, "losses", out);
    gains.forEach(change -> print(change, "gain", out));
    more(moreGains, "gains", out);
    out.println(
        String.format(
            Locale.ROOT, "%s %d of %d recorded decisions of the last day, %s of all that were made.",
            losses.isEmpty() && gains.isEmpty() ? "Nobody would gain or lose a URL:" : "By", asked, recorded, percent()));
    if (!unknownAttributes.isEmpty()) {
      out.println(SafeText.line("Not recorded, and taken as absent: " + String.join(", ", unknownAttributes) + "."));
    }
  }

  private static void print(Change change, String verb, PrintWriter out) {
    String line =
        change.realm() + ": " + change.person() + " would " + verb + " " + change.method() + " " + change.url() + ": " + change.reason();
    // Directories and clients choose names and paths.
    out.println(SafeText.line(line));
  }

  private static void more(long number, String what, PrintWriter out) {
    if (number > 0) {
      out.println("… and " + number + " more " + what);
    }
  }

  /** Rounds down: 100 % means all. */
  private String percent() {
    double percent = 100 * coverage;
    return percent == 0 || percent >= 1 ? (long) percent + " %" : "less than 1 %";
  }
}
