package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./gatehouse}, in a packaged archive of a fake application that prints how it was called. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LauncherScriptTest {
  private static final Path SCRIPT = Path.of("../gatehouse").toAbsolutePath().normalize();

  @TempDir Path folder;

  private record Run(int exit, String output) {}

  @Test
  void shellcheckFindsNothing() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/shellcheck")), "shellcheck is not installed");
    Run run = run(List.of("/usr/bin/shellcheck", SCRIPT.toString(), SCRIPT.resolveSibling(".ci/run").toString()), "/usr/bin:/bin", "");
    assertThat(run.output()).isEmpty();
    assertThat(run.exit()).isZero();
  }

  @Test
  void theNamedJavaWinsAndGetsTheFlags() throws IOException, InterruptedException {
    Path old = java("old", "17.0.2");
    Path right = java("right", "25.0.1");
    Run run = launch(old, right, "version");
    assertThat(run.output()).contains("java right -XX:+UseCompactObjectHeaders", "-jar", "app/gatehouse.jar version").doesNotContain("java old");
  }

  @Test
  void aWronglyNamedJavaIsSaid() throws IOException, InterruptedException {
    Run run = launch(java("right", "25.0.1"), java("old", "17.0.2"), "version");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.output()).contains("is not a JDK 25 or newer");
  }

  @Test
  void whatNeedsACheckoutSaysSo() throws IOException, InterruptedException {
    Run run = launch(java("a", "25.0.1"), java("b", "25"), "package");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.output()).contains("needs a source checkout");
  }

  /** A folder that looks like a Java home and only prints how it was called. */
  private Path java(String name, String version) throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
    Path java = home.resolve("bin/java");
    Files.writeString(java, "#!/bin/sh\necho java " + name + " \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  /** @param javaHome JAVA_HOME; @param named GATEHOUSE_JAVA_HOME */
  private Run launch(Path javaHome, Path named, String... arguments) throws IOException, InterruptedException {
    Path archive = folder.resolve("archive");
    Files.createDirectories(archive.resolve("app"));
    Files.copy(SCRIPT, archive.resolve("gatehouse"));
    Files.writeString(archive.resolve("app/gatehouse.jar"), "");
    List<String> command = new ArrayList<>(List.of("/bin/bash", archive.resolve("gatehouse").toString()));
    command.addAll(List.of(arguments));
    return run(command, "/usr/bin:/bin", javaHome + "\n" + named);
  }

  private Run run(List<String> command, String path, String homes) throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", path);
    if (!homes.isEmpty()) {
      builder.environment().put("JAVA_HOME", homes.lines().toList().get(0));
      builder.environment().put("GATEHOUSE_JAVA_HOME", homes.lines().toList().get(1));
    }
    int exit = builder.start().waitFor();
    return new Run(exit, Files.readString(output));
  }
}
