package dev.gatehouse.gateway.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A program of {@code src/test/node}, installed below {@code target} with the packages that its lock file names. */
final class NodePackage {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path source;
  private final Path installed;

  NodePackage(String name) {
    this.source = Path.of("src/test/node").resolve(name);
    this.installed = Path.of("target").resolve(name).toAbsolutePath();
  }

  /** Skips the test by name where Node.js or npm is missing; fails it under {@code CI=true}. */
  static void requireNode() {
    boolean found = onPath("node") && onPath("npm");
    if (!found && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: Node.js 18 or newer with npm (apt-get install nodejs npm)");
    }
    Assumptions.assumeTrue(found, "skipped: Node.js with npm is not installed");
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** What the lock file says, and no scripts of packages. Kept for the next run. Returns where {@code server.js} is. */
  synchronized Path install() throws IOException, InterruptedException {
    Files.createDirectories(installed);
    Path lock = installed.resolve("package-lock.json");
    boolean same =
        Files.exists(installed.resolve("node_modules/.package-lock.json"))
            && Files.mismatch(lock, source.resolve("package-lock.json")) < 0;
    for (String name : List.of("package.json", "server.js", "package-lock.json")) {
      Files.write(installed.resolve(name), Files.readAllBytes(source.resolve(name)));
    }
    if (!same) {
      fetch();
    }
    return installed;
  }

  private void fetch() throws IOException, InterruptedException {
    Path log = installed.resolve("npm.log");
    Process npm =
        new ProcessBuilder("npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund")
            .directory(installed.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended = npm.waitFor(PATIENCE);
    npm.destroyForcibly();
    if (!ended || npm.exitValue() != 0) {
      throw new IOException("npm ci failed: " + Files.readString(log));
    }
  }
}
