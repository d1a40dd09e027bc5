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
import picocli.CommandLine.Spec;

/** {@code bench otp-servers}. */
@Command(
    name = "otp-servers",
    mixinStandardHelpOptions = true,
    description = {
      "Measure one primary and one replica of one-time passwords, with a PostgreSQL each and a Valkey, whose files are in memory: how long it",
      "takes to bring the replica up, when a change of the primary is valid there, the bytes of replication, and a nomination. Needs",
      "postgresql and valkey. Takes some minutes."
    })
public final class OtpServersCommand implements Callable<Integer> {

  private static final double WANTED_PUSH = 60;
  private static final double WANTED_CHANGE = 1;
  private static final double WANTED_BYTES = 849;
  private static final double WANTED_NOMINATION = 10;

  @Option(names = "--people", paramLabel = "N", defaultValue = "500000", description = "People with a token and a PIN each (${DEFAULT-VALUE}).")
  int people;

  @Option(names = "--changes", paramLabel = "N", defaultValue = "1000", description = "Changes that are measured (${DEFAULT-VALUE}).")
  int changes;

  @Option(names = "--uses", paramLabel = "N", defaultValue = "20000", description = "Authentications whose bytes are counted (${DEFAULT-VALUE}).")
  int uses;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    Instant start = Instant.now();
    OtpServersRun.Measured measured;
    try (OtpServersRun run = new OtpServersRun(people)) {
      measured = run.measure(changes, uses);
    }
    Report report =
        new Report(
            "otp-servers", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(),
            Map.of("people", String.valueOf(people), "changes", String.valueOf(changes), "uses", String.valueOf(uses)), List.of(),
            List.of(measured), List.of());
    System.out.println(report.write(output.results, conclusions(measured)));
    return 0;
  }

  private String conclusions(OtpServersRun.Measured measured) {
    Markdown table = Markdown.table("what | measured | wanted | the historical product (S6)");
    table.row("push of %,d people to a replica | %.1f s | %.0f s | 50,000: 18 s, 100,000: 37 s, 500,000: 309 s", people, measured.pushSeconds(), WANTED_PUSH);
    table.row("change valid at the replica, p50 | %.3f s | | interval of 60 to 100 s", measured.changeP50());
    table.row("change valid at the replica, p99 | %.3f s | %.0f s | interval of 60 to 100 s", measured.changeP99(), WANTED_CHANGE);
    table.row("100 new people with token and PIN, until the last is at the replica | %.2f s | | 10 s", measured.newPeopleSeconds());
    table.row(
        "bytes of replication of one authentication, rows in batches of %d | %,.0f | %,.0f | 849", OtpServersRun.BATCH, measured.uses().batched(), WANTED_BYTES);
    table.row("bytes of replication of one authentication, each row alone | %,.0f | %,.0f | 849", measured.uses().alone(), WANTED_BYTES);
    table.row("the same at the replica, which brings its rows to the primary | %,.0f | | ", measured.uses().atReplica());
    measured.bytesByKind().forEach((kind, bytes) -> table.row("bytes of replication: %s | %,.0f | | ", kind, bytes));
    table.row("from the nomination to the first code that counts | %.1f s | %.0f s | ", measured.nominationSeconds(), WANTED_NOMINATION);
    return """
        Each server has the parts of a node that check codes, without its edges. A change is the state of a token, until it is read at the replica. Bytes are
        those between the two PostgreSQL in both directions, without headers of TCP and IP, of the rows that follow the marks; a busy
        primary writes those of a quarter of a second in one commit. What a replica asks the Valkey of all servers for each passcode is not among them. For the
        nomination, PostgreSQL of the primary is killed; it begins in this process, without the start of a command, and ends without RADIUS.

        """
        + table;
  }
}
