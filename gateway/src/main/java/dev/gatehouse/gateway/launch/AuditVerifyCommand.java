package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.AuditReport;
import dev.gatehouse.common.audit.AuditVerification;
import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.jose.PublicJwk;
import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.gateway.node.NodeAudit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse audit verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Read the whole audit log and name every event that was removed, changed, added or moved, with file and line; a running node is "
          + "not disturbed.",
      "",
      "The node signs a checkpoint each minute. Copies of checkpoints that are kept elsewhere also reveal that the end was cut off "
          + "together with the node's own record of it: name them by --against. Public keys that are kept elsewhere (./gatehouse keys "
          + "audit) reveal that the node's key was replaced: name them by --keys."
    },
    footer = {"", "Exit codes: 0 the log is intact, 1 it is not or cannot be read, 2 wrong command line."})
final class AuditVerifyCommand implements Callable<Integer> {

  @Mixin private ConfigurationOption where = new ConfigurationOption();

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description = "Checkpoints kept elsewhere: a copy of a file of checkpoints or of the log; may be given several times.")
  private List<Path> against = List.of();

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description =
          "Public keys (a JWK Set) that may sign checkpoints, instead of the one in the data folder; may be given several times.")
  private List<Path> keys = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    CryptoProviders.install();
    Node node = where.load().node();
    PublicKeys known = keys.isEmpty() ? NodeAudit.publicKeys(node) : read(keys);
    for (Path file : against) {
      if (!Files.isReadable(file)) {
        throw new StartRefused("There is no file " + file + " that can be read.");
      }
    }
    AuditReport report =
        AuditVerification.verify(NodeAudit.sources(node, known, against), new ByteProgress(spec.commandLine().getErr()));
    print(report, spec.commandLine().getOut());
    return report.problems().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static PublicKeys read(List<Path> files) throws IOException {
    List<PublicJwk> all = new ArrayList<>();
    for (Path file : files) {
      switch (PublicKeys.read(Files.readString(file))) {
        case Result.Accepted<PublicKeys, String>(PublicKeys read) -> all.addAll(read.all());
        case Result.Refused<PublicKeys, String>(String problem) -> throw new StartRefused(file + ": " + problem + ".");
      }
    }
    return new PublicKeys(all);
  }

  private static void print(AuditReport report, PrintWriter out) {
    report.problems().forEach(problem -> out.println(SafeText.line(problem.toString())));
    if (report.unlisted() > 0) {
      out.printf(Locale.ROOT, "... and %,d further problems.%n", report.unlisted());
    }
    out.printf(
        Locale.ROOT, "%,d events in %,d file(s), %,d bytes, %.1f bytes an event.%n",
        report.events(), report.files(), report.bytes(), report.bytesPerEvent());
    if (report.unchained() > 0) {
      out.printf(Locale.ROOT, "%,d lines of a former version have no chain: they cannot be verified.%n", report.unchained());
    }
    out.println(
        report
            .newest()
            .map(
                covered ->
                    String.format(
                        Locale.ROOT, "%,d checkpoints agree; the newest, of %s, covers the events up to %,d.",
                        report.checkpoints(), covered.time(), covered.seq()))
            .orElse("No checkpoint covers these events: only their chain and the end that the key folder names were verified."));
    long problems = report.problems().size() + report.unlisted();
    out.println(problems == 0 ? "No problems." : problems == 1 ? "1 problem." : problems + " problems.");
  }

  /** Says how many bytes a command has read: a line that is rewritten on a terminal, or a line every few seconds in a log. */
  private static final class ByteProgress implements AuditVerification.Progress {

    private static final Duration ON_TERMINAL = Duration.ofMillis(300);
    private static final Duration IN_LOG = Duration.ofSeconds(10);

    private final PrintWriter out;
    private final boolean terminal = System.console() != null && System.console().isTerminal();
    private final long started = System.nanoTime();
    private long shown = started;

    ByteProgress(PrintWriter out) {
      this.out = out;
    }

    @Override
    public void at(long bytes, long all) {
      long now = System.nanoTime();
      if (now - shown < (terminal ? ON_TERMINAL : IN_LOG).toNanos()) {
        return;
      }
      shown = now;
      double part = all == 0 ? 1 : (double) bytes / all;
      double seconds = (now - started) / 1e9;
      String line =
          String.format(
              Locale.ROOT, "%,d of %,d MB (%.0f %%), about %.0f s left", bytes >> 20, all >> 20, 100 * part,
              seconds / Math.max(part, 0.001) - seconds);
      if (terminal) {
        out.print("\r" + line + "\u001b[K" + (bytes < all ? "" : "\n"));
      } else {
        out.println(line);
      }
      out.flush();
    }
  }
}
