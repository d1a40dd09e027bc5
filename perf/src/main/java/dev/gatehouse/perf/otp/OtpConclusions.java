package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Markdown;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conclusions of {@code bench otp}. */
final class OtpConclusions {

  private static final int WANTED = 8_000;
  private static final int WANTED_OF_TWO = 3_000;
  private static final int WANTED_BYTES = 600;
  private static final int WANTED_SHARE = 5;
  private static final int WANTED_IMPORT = 60;

  private final List<Iteration> iterations;
  private final double radiusBytes;
  private final Optional<PeopleImport.Times> imported;

  OtpConclusions(List<Iteration> iterations, double radiusBytes, Optional<PeopleImport.Times> imported) {
    this.iterations = List.copyOf(iterations);
    this.radiusBytes = radiusBytes;
    this.imported = imported;
  }

  String markdown() {
    return """
        Each authentication is an Access-Request with PIN and code of a TOTP token in one field, and its Access-Accept, or a request of
        an agent over a connection that is kept: with mutual TLS, or without TLS and with a signed assertion each (ES256). The person is
        looked up in slapd, the code is used up durably and the decision is in the audit log before the answer. CPU seconds are
        those of the node's process. Argon2id of the PIN is most of an authentication, and its cost is chosen, not found: the rows
        beside it come from a build in which PINs are compared as they are (`perf/patches/no-pin-hash.patch`), and which is the same
        otherwise.

        ## What was wanted
        """
        + goals() + "\n## PIN hash aside\n\n" + Figures.table("people", rows(OtpServer.ASIDE))
        + "\n## Visitors, PIN hash aside\n\nThe node is the visited realm, and its backend the home.\n\n"
        + Figures.table("people", rows(TwoRealms.NAME)) + "\n## With the PIN's hash\n\n"
        + Figures.table("people", rows("Gatehouse"));
  }

  private Markdown goals() {
    Markdown table = Markdown.table("what | measured | wanted");
    List<Figures> asides =
        rows(OtpServer.ASIDE).entrySet().stream().filter(row -> row.getKey().startsWith("RADIUS")).map(Map.Entry::getValue).toList();
    rows(OtpServer.ASIDE)
        .forEach((row, figures) -> table.row("%s, PIN hash aside, per CPU second | %,.0f | %,d", row, figures.perCpuSecond(), WANTED));
    rows(TwoRealms.NAME)
        .forEach(
            (row, figures) -> table.row("%s, PIN hash aside, per CPU second of both realms | %,.0f | %,d", row, figures.perCpuSecondOfAll(), WANTED_OF_TWO));
    if (asides.size() > 1) {
      double least = asides.stream().mapToDouble(Figures::perCpuSecond).min().orElseThrow();
      double most = asides.stream().mapToDouble(Figures::perCpuSecond).max().orElseThrow();
      table.row("RADIUS: difference by the number of people | %.1f %% | %d %%", 100 * (most - least) / most, WANTED_SHARE);
    }
    imported.ifPresent(
        times -> {
          table.row("import of %,d people from slapd, s | %.1f | %d", times.people(), times.first(), WANTED_IMPORT);
          table.row("the same again, when there is nothing to do, s | %.1f | ", times.nothing());
        });
    table.row("bytes on the wire of one authentication by RADIUS, with headers of IP and UDP | %,.0f | %,d", radiusBytes, WANTED_BYTES);
    return table;
  }

  private Map<String, Figures> rows(String server) {
    Map<String, Figures> rows = new LinkedHashMap<>();
    iterations.stream()
        .filter(each -> each.server().equals(server))
        .map(Iteration::row)
        .distinct()
        .forEach(row -> rows.put(row, Figures.of(iterations, server, row)));
    rows.values().removeIf(Figures::isEmpty);
    return rows;
  }
}
