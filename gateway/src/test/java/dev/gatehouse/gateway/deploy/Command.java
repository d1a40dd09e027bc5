package dev.gatehouse.gateway.deploy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that is run to its end. @param output what it wrote to both streams */
record Command(int exit, String output) {

  private static final Path TOOLS = Path.of(System.getenv().getOrDefault("GATEHOUSE_TEST_TOOLS", "/nonexistent"));

  static Command run(Path folder, Map<String, String> environment, List<String> line) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException(line + " did not end within a minute: " + Files.readString(output));
    }
    return new Command(process.exitValue(), Files.readString(output));
  }

  static Command run(Path folder, String... line) throws IOException, InterruptedException {
    return run(folder, Map.of(), List.of(line));
  }

  /** The path of a program of Debian; without it the test is skipped. */
  static String installed(String program) {
    assumeTrue(Files.isExecutable(Path.of(program)), program + " is not installed");
    return program;
  }

  /** A tool that {@code ./gatehouse test} made; without it the test is skipped. */
  static Path tool(String name) {
    assumeTrue(Files.exists(TOOLS.resolve(name)), "./gatehouse test could not make " + name);
    return TOOLS.resolve(name);
  }
}
