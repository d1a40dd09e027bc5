package dev.gatehouse.gateway.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Tools in Python, which {@code ./gatehouse test} installs in the versions of {@code src/test/python/requirements.txt}. */
public final class PythonTools {

  private PythonTools() {}

  /** Returns the folder of the tools, if they are installed. */
  public static Optional<Path> folder() {
    return Optional.ofNullable(System.getenv("GATEHOUSE_PYTHON_TOOLS")).map(root -> Path.of(root, "bin")).filter(Files::isDirectory);
  }

  /** Returns the path of a tool. Skips the test by name where the tools are missing; fails it under {@code CI=true}. */
  public static Path require(String name) {
    Optional<Path> tool = folder().map(folder -> folder.resolve(name)).filter(Files::isExecutable);
    boolean installed = tool.isPresent();
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: " + name + ", which ./gatehouse test installs where Python is");
    }
    Assumptions.assumeTrue(installed, "skipped: " + name + " is not installed");
    return tool.orElseThrow();
  }
}
