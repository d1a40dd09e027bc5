package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.ResultsOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench otp-servers}. */
@Command(
    name = "otp-servers",
    mixinStandardHelpOptions = true,
    description = {
      "Measure a primary and replicas of one-time passwords, with a PostgreSQL each and a Valkey, whose files are in memory: how long it",
      "takes to bring a replica up, when a change of the primary is valid at every replica, the bytes of replication, and a nomination:",
      "nodes as processes, ./gatehouse otp nominate, and a passcode by RADIUS. Needs postgresql, valkey and slapd. Takes some minutes."
    })
public final class OtpServersCommand implements Callable<Integer> {

  private static final double WANTED_PUSH = 60;
  private static final double WANTED_CHANGE = 1;
  private static final double WANTED_BYTES = 849;
  private static final double WANTED_NOMINATION = 10;

  /** The most that a realm has. */
  private static final int MOST_REPLICAS = 10;

  @Option(names = "--people", paramLabel = "N", defaultValue = "500000", description = "People with a token and a PIN each (${DEFAULT-VALUE}).")
  int people;

  @Option(names = "--changes", paramLabel = "N", defaultValue = "1000", description = "Changes that are measured (${DEFAULT-VALUE}).")
  int changes;

  @Option(names = "--uses", paramLabel = "N", defaultValue = "20000", description = "Authentications whose bytes are counted (${DEFAULT-VALUE}).")
  int uses;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Replicas, 1 to 10 (${DEFAULT-VALUE}). Each has a copy of all people in memory. All but changes is measured at the first one;",
        "the nomination has servers of its own."
      })
  int replicas;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    if (replicas < 1 || replicas > MOST_REPLICAS) {
      throw new ParameterException(spec.commandLine(), "--replicas: from 1 to " + MOST_REPLICAS + ", not " + replicas);
    }
    if (changes < 1 || uses < 10 || people < 3 * uses) {
      throw new ParameterException(
          spec.commandLine(), "--changes: 1 or more; --uses: 10 or more; --people: at least three times --uses, because nobody uses a passcode twice");
    }
    Instant start = Instant.now();
    OtpServersRun.Measured measured;
    try (OtpServersRun run = new OtpServersRun(people, replicas)) {
      measured = run.measure(changes, uses);
    }
    NominatedServer.Times nomination = NominatedServer.measure(people);
    Report report =
        new Report(
            "otp-servers", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(),
            Map.of(
                "people", String.valueOf(people), "replicas", String.valueOf(replicas), "changes", String.valueOf(changes),
                "uses", String.valueOf(uses)),
            List.of(), List.of(measured, nomination), List.of());
    System.out.println(report.write(output.results, conclusions(measured, nomination)));
    return 0;
  }

  String conclusions(OtpServersRun.Measured measured, NominatedServer.Times nomination) {
    OtpServersRun.Changes valid = measured.changes();
    String everywhere = valid.replicas() == 1 ? "the replica" : "each of " + valid.replicas() + " replicas";
    Markdown table = Markdown.table("what | measured | wanted | the historical product (S6)");
    table.row("push of %,d people to a replica | %.1f s | %.0f s | 50,000: 18 s, 100,000: 37 s, 500,000: 309 s", people, measured.pushSeconds(), WANTED_PUSH);
    table.row("change valid at %s, p50 | %.3f s | | interval of 60 to 100 s", everywhere, valid.changeP50());
    table.row("change valid at %s, p99 | %.3f s | %.0f s | interval of 60 to 100 s", everywhere, valid.changeP99(), WANTED_CHANGE);
    if (valid.replicas() > 1) {
      table.row(
          "change valid at the slowest replica (number %d) alone, p99 | %.3f s | | ", valid.slowestReplica(), valid.slowestP99());
    }
    table.row("100 new people with token and PIN, until the last is at the replica | %.2f s | | 10 s", measured.newPeopleSeconds());
    table.row(
        "bytes of replication of one authentication, rows in batches of %d | %,.0f | %,.0f | 849", OtpServersRun.BATCH, measured.uses().batched(), WANTED_BYTES);
    table.row("bytes of replication of one authentication, each row alone | %,.0f | %,.0f | 849", measured.uses().alone(), WANTED_BYTES);
    table.row("the same at the replica, which brings its rows to the primary | %,.0f | | ", measured.uses().atReplica());
    measured.bytesByKind().forEach((kind, bytes) -> table.row("bytes of replication: %s | %,.0f | | ", kind, bytes));
    table.row("`./gatehouse otp nominate --confirm`, until it has ended | %.1f s | | ", nomination.commandSeconds());
    table.row(
        "from that command to the first passcode that the new primary accepts by RADIUS | %.1f s | %.0f s | ",
        nomination.nominationSeconds(), WANTED_NOMINATION);
    return """
        Each server has the parts of a node that check codes, without its edges. A change is the state of a token, until it is read at every
        replica; all else is of the first one. Bytes are those between its PostgreSQL and that of the primary in both directions, without
        headers of TCP and IP, of the rows that follow the marks; a busy primary writes those of a quarter of a second in one commit. What a
        replica asks the Valkey of all servers for each passcode is not among them. For the nomination, a primary and a replica with as many
        people run as processes of `./gatehouse run`; the primary's node and its PostgreSQL are killed, and the command is a process that
        begins then. The passcode is asked about when the replica's log says that it is the primary, and its PIN is hashed.

        """
        + table;
  }
}
