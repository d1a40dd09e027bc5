package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A checkout of Gatehouse whose launcher starts nodes; the launcher builds it if necessary.
 *
 * @param name in reports
 */
public record Build(String name, Path home) {

  /** The checkout that this benchmark belongs to. */
  public static Build here() throws IOException {
    String home = System.getenv("GATEHOUSE_HOME");
    if (home == null) {
      throw new IOException("GATEHOUSE_HOME is not set: start benchmarks with ./gatehouse bench");
    }
    return new Build("Gatehouse", Path.of(home));
  }

  /** Another checkout to compare with. */
  public static Build other(Path home) throws IOException {
    if (!Files.isExecutable(home.resolve("gatehouse"))) {
      throw new IOException(home + " is not a checkout of Gatehouse: it has no launcher 'gatehouse'");
    }
    return new Build("the other build", home.toAbsolutePath());
  }

  /**
   * Makes a clone of the checkout with one difference. Changes that are not committed are not in it.
   *
   * @param patch to be applied to the clone
   * @param home of the clone; does not exist
   */
  public static Build patched(Path patch, Path home) throws IOException, InterruptedException {
    return here().with(patch, home);
  }

  /** Makes a clone of this checkout with one difference, as {@link #patched}. */
  public Build with(Path patch, Path home) throws IOException, InterruptedException {
    Commands.output(List.of("git", "clone", "--quiet", this.home.toString(), home.toString()));
    Commands.output(List.of("git", "-C", home.toString(), "apply", patch.toAbsolutePath().toString()));
    return other(home);
  }

  /** The launcher's command line with these arguments. */
  public List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(home.resolve("gatehouse").toString()));
    command.addAll(List.of(arguments));
    return command;
  }
}
