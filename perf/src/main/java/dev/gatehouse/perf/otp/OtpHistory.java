package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Markdown;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The published figures of the historical product, RSA ACE/Server 6.0 of 2005, beside ours; {@code bench otp-servers} has the others. */
final class OtpHistory {

  private static final List<Integer> CROWDS = List.of(10_000, 100_000, 1_000_000);

  /** The sum of authentications a second, with six replicas and an agent at each host. */
  private static final double MOST_HISTORICAL = 178.8;

  private final Map<String, Figures> asides;
  private final Map<String, Figures> visitors;
  private final OtpConclusions.Beside beside;

  OtpHistory(Map<String, Figures> asides, Map<String, Figures> visitors, OtpConclusions.Beside beside) {
    this.asides = asides;
    this.visitors = visitors;
    this.beside = beside;
  }

  String markdown() {
    Markdown table = Markdown.table("what | ours, PIN hash aside | the historical product (S6)");
    Optional<Figures> agent = row("REST by certificate");
    agent.ifPresent(
        figures -> {
          table.row(
              "authentications a second by agents | %,.0f a second, %,.0f a CPU second | 66.7 with one replica, 178.8 at most; domain agent 37 to 159",
              figures.perSecond(), figures.perCpuSecond());
          for (int people : CROWDS) {
            table.row(
                "to authenticate %,d people | %s at this rate, %s of one processor of the node | %s at their best rate", people,
                time(people / figures.perSecond()), time(people / figures.perCpuSecond()), time(people / MOST_HISTORICAL));
          }
        });
    offline(table, agent, OtpCommand.Way.OFFLINE_1, 1, "13.4 to 82.1");
    offline(table, agent, OtpCommand.Way.OFFLINE_3, 3, "6.9 to 40.4");
    offline(table, agent, OtpCommand.Way.OFFLINE_30, 30, "3.2 to 17.6");
    bytes(OtpCommand.Way.OFFLINE_1)
        .ifPresent(first -> table.row("bytes of a first offline day, without TLS | %,.0f | 51,787 with the authentication", first));
    further().ifPresent(each -> table.row("bytes of each further offline day | %,.0f | 48,464", each));
    bytes(OtpCommand.Way.OFFLINE_LOG)
        .ifPresent(each -> table.row("bytes of the report of one offline login, without TLS | %,.0f | not published", each));
    visitors.forEach(
        (row, figures) ->
            table.row(
                "cross-realm authentications | %,.0f a second, %,.0f a CPU second of both realms | 33 to 71 a second with one to four replicas",
                figures.perSecond(), figures.perCpuSecondOfAll()));
    bytes(OtpCommand.Way.RADIUS)
        .ifPresent(each -> table.row("bytes on the wire of one authentication, with headers of IP | %,.0f (RADIUS, 2 packets) | 2,532 (6 packets)", each));
    beside
        .imported()
        .ifPresent(
            times -> table.row("import of %,d people from a directory | %.1f s | 5,000: 42 s, 50,000: 23 min 48 s", times.people(), times.first()));
    for (LogKeeping.Times log : beside.logs()) {
      boolean isHalf = log.events() == 500_000;
      table.row(
          "%,d entries of the log (%,d MB), written by 64 at a time | %.1f s | %s", log.events(), log.bytes() >> 20, log.writeSeconds(),
          isHalf ? "74 MB" : "149 MB");
      table.row(
          "of these, the oldest tenth compressed and removed | %.1f s | %s", log.tenthSeconds(),
          isHalf ? "3 min 45 s and 23 min 36 s to compress" : "7 min 6 s and 44 min 58 s to compress");
      table.row("of these, the rest compressed and removed | %.1f s | %s", log.restSeconds(), isHalf ? "24 min" : "49 min 38 s");
    }
    return table.isEmpty() ? "" : "\n## Beside the historical product\n" + table;
  }

  /** What was wanted of days without a server. */
  void wanted(Markdown table) {
    Optional<Figures> alone = row("REST by certificate");
    for (OtpCommand.Way way : List.of(OtpCommand.Way.OFFLINE_1, OtpCommand.Way.OFFLINE_3, OtpCommand.Way.OFFLINE_30)) {
      alone.ifPresent(
          agent ->
              row(way.title())
                  .ifPresent(
                      figures ->
                          table.row("CPU of a first download of %d offline days, ms | %.3f | reported", way.days(), figures.cpuMillis() - agent.cpuMillis())));
    }
    further().ifPresent(each -> table.row("bytes of each further offline day | %,.0f | 48,464", each));
  }

  private Optional<Double> further() {
    return bytes(OtpCommand.Way.OFFLINE_3).flatMap(three -> bytes(OtpCommand.Way.OFFLINE_30).map(thirty -> (thirty - three) / 27));
  }

  private Optional<Figures> row(String title) {
    return asides.entrySet().stream().filter(row -> row.getKey().startsWith(title)).map(Map.Entry::getValue).findFirst();
  }

  private Optional<Double> bytes(OtpCommand.Way way) {
    return Optional.of(beside.bytes(way)).filter(each -> each > 0);
  }

  /** The authentication alone is subtracted. */
  private void offline(Markdown table, Optional<Figures> agent, OtpCommand.Way way, int days, String theirs) {
    row(way.title())
        .ifPresent(
            figures -> {
              table.row(
                  "authentications with a first download of %d offline days | %,.0f a second, %,.0f a CPU second | %s a second with one to six replicas",
                  days, figures.perSecond(), figures.perCpuSecond(), theirs);
              table.row("offline days delivered, of %d at a time | %,.0f a second | 12 to 81 a second", days, days * figures.perSecond());
              agent.ifPresent(
                  alone -> table.row("CPU of %d offline days, ms | %.3f | not published", days, figures.cpuMillis() - alone.cpuMillis()));
            });
  }

  /** In words of people. */
  static String time(double seconds) {
    return seconds < 120 ? Markdown.format("%.1f s", seconds) : Markdown.format("%.1f min", seconds / 60);
  }
}
