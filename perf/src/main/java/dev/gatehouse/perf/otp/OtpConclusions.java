package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Markdown;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** The conclusions of {@code bench otp}. */
final class OtpConclusions {

  private static final int WANTED = 8_000;
  private static final int WANTED_OF_TWO = 3_000;
  private static final int WANTED_OF_PASSKEYS = 5_000;
  private static final int WANTED_BYTES = 600;
  private static final int WANTED_SHARE = 5;
  private static final int WANTED_IMPORT = 60;
  private static final String PASSKEY = "Passkey";

  /**
   * What was measured beside the rows.
   *
   * @param bytes of each way
   */
  record Beside(
      Map<OtpCommand.Way, WireBytes> bytes, Optional<PeopleImport.Times> imported, List<LogKeeping.Times> logs,
      Optional<OtpMix.Measured> mix) {

    /** The mean of a way; 0 if it was not measured. */
    double bytes(OtpCommand.Way way) {
      return Objects.requireNonNull(bytes.get(way)).each();
    }
  }

  private final List<Iteration> iterations;
  private final Beside beside;

  OtpConclusions(List<Iteration> iterations, Beside beside) {
    this.iterations = List.copyOf(iterations);
    this.beside = beside;
  }

  String markdown() {
    Map<String, Figures> asides = rows(OtpServer.ASIDE, row -> true);
    StringBuilder text =
        new StringBuilder(
            """
            Each authentication is an Access-Request with PIN and code of a TOTP token in one field, and its Access-Accept, or a request of
            an agent over a connection that is kept: with mutual TLS, or without TLS and with a signed assertion each (ES256). The person is
            looked up in slapd, the code is used up durably and the decision is in the audit log before the answer. CPU seconds are
            those of the node's process. Argon2id of the PIN is most of an authentication, and its cost is chosen, not found: the rows
            beside it come from a build in which PINs are compared as they are (`perf/patches/no-pin-hash.patch`), and which is the same
            otherwise. They are measured five minutes after the node has its data, when codes are used up by marks alone.

            ## What was wanted
            """);
    OtpHistory history = new OtpHistory(asides, rows(TwoRealms.NAME, row -> true), beside);
    Markdown goals = goals();
    history.wanted(goals);
    text.append(goals);
    section(text, "PIN hash aside", "", "people", asides);
    section(
        text, "Visitors, PIN hash aside", "The node is the visited realm, and its backend the home.", "people",
        rows(TwoRealms.NAME, row -> true));
    section(text, "With the PIN's hash", "", "people", rows(OtpServer.OURS, row -> !row.startsWith(PASSKEY)));
    section(
        text, "Passkeys",
        "Both kinds of rows end with a session. A whole login is the page, a challenge and an assertion in a browser that nobody knows, three\n"
            + "exchanges; the other rows are a challenge and an assertion, two exchanges, of a page that stays open. The assertion is verified,\n"
            + "challenge and counter are used up durably, the person is looked up in slapd, and login and session are in the audit log, before\n"
            + "the answer.",
        "passkey", rows(OtpServer.OURS, row -> row.startsWith(PASSKEY)));
    text.append(history.markdown());
    beside.mix().ifPresent(mix -> text.append(MixReport.markdown(mix)));
    return text.toString();
  }

  private static void section(StringBuilder text, String title, String words, String first, Map<String, Figures> rows) {
    if (!rows.isEmpty()) {
      text.append("\n## ").append(title).append("\n\n").append(words).append(words.isEmpty() ? "" : "\n\n").append(Figures.table(first, rows));
    }
  }

  private Markdown goals() {
    Markdown table = Markdown.table("what | measured | wanted");
    Map<String, Figures> asides = rows(OtpServer.ASIDE, row -> !row.contains(OtpCommand.OFFLINE));
    asides.forEach((row, figures) -> table.row("%s, PIN hash aside, per CPU second | %,.0f | %,d", row, figures.perCpuSecond(), WANTED));
    rows(TwoRealms.NAME, row -> true)
        .forEach(
            (row, figures) -> table.row("%s, PIN hash aside, per CPU second of both realms | %,.0f | %,d", row, figures.perCpuSecondOfAll(), WANTED_OF_TWO));
    rows(OtpServer.OURS, row -> row.startsWith(PASSKEY))
        .forEach((row, figures) -> table.row("%s, per CPU second | %,.0f | %,d", row, figures.perCpuSecond(), WANTED_OF_PASSKEYS));
    share(table, "RADIUS", asides);
    share(table, "REST by certificate", asides);
    beside
        .imported()
        .ifPresent(
            times -> {
              table.row("import of %,d people from slapd, s | %.1f | %d", times.people(), times.first(), WANTED_IMPORT);
              table.row("the same again, when there is nothing to do, s | %.1f | ", times.nothing());
            });
    double radius = beside.bytes(OtpCommand.Way.RADIUS);
    if (radius > 0) {
      table.row("bytes on the wire of one authentication by RADIUS, with headers of IP and UDP | %,.0f | %,d", radius, WANTED_BYTES);
    }
    return table;
  }

  private static void share(Markdown table, String way, Map<String, Figures> asides) {
    List<Figures> sizes = asides.entrySet().stream().filter(row -> row.getKey().startsWith(way)).map(Map.Entry::getValue).toList();
    if (sizes.size() > 1) {
      double least = sizes.stream().mapToDouble(Figures::perCpuSecond).min().orElseThrow();
      double most = sizes.stream().mapToDouble(Figures::perCpuSecond).max().orElseThrow();
      table.row("%s: difference by the number of people | %.1f %% | %d %%", way, 100 * (most - least) / most, WANTED_SHARE);
    }
  }

  private Map<String, Figures> rows(String server, Predicate<String> chosen) {
    Map<String, Figures> rows = new LinkedHashMap<>();
    iterations.stream()
        .filter(each -> each.server().equals(server))
        .map(Iteration::row)
        .filter(chosen)
        .distinct()
        .forEach(row -> rows.put(row, Figures.of(iterations, server, row)));
    rows.values().removeIf(Figures::isEmpty);
    return rows;
  }
}
