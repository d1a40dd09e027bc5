package dev.gatehouse.perf.all;

import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The commit of what is measured: the last one that changed anything but documentation, results, tests and this instrument's
 * plan, targets and report. So results may be committed between two rows. What is not committed has a digest after {@code +}.
 */
final class MeasuredCommit {

  private static final List<String> MEASURED =
      List.of(
          ":/", ":(top,exclude)docs", ":(top,exclude)perf/results", ":(top,exclude,glob)*.md", ":(top,exclude,glob)**/src/test/**",
          ":(top,exclude)perf/src/main/java/dev/gatehouse/perf/all", ":(top,exclude)perf/src/main/java/dev/gatehouse/perf/report",
          ":(top,exclude)perf/src/main/java/dev/gatehouse/perf/targets", ":(top,exclude)perf/src/main/resources/dev/gatehouse/perf/report");

  private static final int DIGEST = 4;

  private MeasuredCommit() {}

  /** @throws IOException outside a checkout: rows of unknown code cannot be compared */
  static String here() throws IOException, InterruptedException {
    String commit = git("log", "-1", "--abbrev=12", "--format=%h").strip();
    String changes = git("diff", "HEAD");
    return changes.isBlank() ? commit : commit + "+" + digest(changes);
  }

  private static String git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    command.add("--");
    command.addAll(MEASURED);
    return Commands.output(command);
  }

  private static String digest(String changes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(changes.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, DIGEST);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
