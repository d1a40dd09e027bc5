package dev.gatehouse.perf.harness;

import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of one benchmark, as JSON and Markdown.
 *
 * @param name of the benchmark, also of the files
 * @param command the command that repeats the measurement
 * @param commit of the code that was measured; ends in {@code +} if the work tree had changes
 * @param settings the relevant ones: people, virtual users, key
 * @param iterations all of them, warm-up included, because operators restart servers
 * @param details further measurements of the benchmark, for example memory
 * @param failures rows that failed, and why
 */
public record Report(
    String name,
    String command,
    String commit,
    Instant measuredAt,
    Machine machine,
    Map<String, String> settings,
    List<Iteration> iterations,
    List<?> details,
    List<String> failures) {

  public static final JsonMapper JSON = 
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          // Records of former builds lack what was measured later: 0 says so.
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  /**
   * Writes {@code name.json} and {@code name.md} into the folder and returns the Markdown.
   *
   * @param conclusions Markdown
   */
  public String write(Path folder, String conclusions) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".json"), JSON.writeValueAsString(this) + "\n");
    StringBuilder md = new StringBuilder("# " + name + "\n\n`" + command + "`, commit " + commit + ", " + measuredAt + ".\n");
    md.append(machine).append(".\n");
    settings.forEach((key, value) -> md.append(key).append(": ").append(value).append(". "));
    md.append("\n\n").append(conclusions);
    if (!failures.isEmpty()) {
      md.append("\n## What failed\n\n");
      failures.forEach(failure -> md.append("- ").append(failure.replace("\n", " ")).append("\n"));
    }
    Files.writeString(folder.resolve(name + ".md"), md);
    return md.toString();
  }

  /** The commit of this checkout, with {@code +} for uncommitted changes; {@code unknown} outside a checkout. */
  public static String commitHere() throws InterruptedException {
    return commitOf(Path.of("."));
  }

  /** As {@link #commitHere}, of another checkout. */
  public static String commitOf(Path checkout) throws InterruptedException {
    try {
      List<String> git = List.of("git", "-C", checkout.toString());
      String commit = Commands.output(Stream.concat(git.stream(), Stream.of("rev-parse", "--short=12", "HEAD")).toList()).strip();
      boolean isClean =
          Commands.output(Stream.concat(git.stream(), Stream.of("status", "--porcelain", "--untracked-files=no")).toList()).isBlank();
      return isClean ? commit : commit + "+";
    } catch (IOException e) {
      return "unknown";
    }
  }
}
