package dev.gatehouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;

/**
 * Proves that Error Prone and NullAway are awake on this JDK: a module that inherits this build's compiler settings and
 * commits one sin of each kind must not compile, and both tools must say so.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class CompilerCanaryTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  // Below the checkout, so that Maven finds .mvn/jvm.config as it does for every module.
  private static final Path MODULE = ROOT.resolve("gateway/target/canary");

  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <parent>
          <groupId>dev.gatehouse</groupId>
          <artifactId>gatehouse</artifactId>
          <version>%s</version>
          <relativePath>../../../pom.xml</relativePath>
        </parent>
        <artifactId>canary</artifactId>
      </project>
      """;

  private static final String PACKAGE_INFO =
      """
      @NullMarked
      package canary;

      import org.jspecify.annotations.NullMarked;
      """;

  @BeforeEach
  void writeModule() throws IOException {
    Files.createDirectories(MODULE.resolve("src/main/java/canary"));
    Files.writeString(MODULE.resolve("pom.xml"), POM.formatted(version()));
    Files.writeString(MODULE.resolve("src/main/java/canary/package-info.java"), PACKAGE_INFO);
  }

  @Test
  void bothToolsReportTheirSin() throws IOException, InterruptedException {
    Compilation compilation =
        compile(
            """
            package canary;

            final class Canary {
              String nothing() {
                return null;
              }

              void never() {
                new IllegalStateException("made, but not thrown");
              }
            }
            """);
    assertThat(compilation.exit()).as(compilation.output()).isNotZero();
    assertThat(compilation.output()).contains("[NullAway]").contains("[DeadException]");
  }

  @Test
  void theSameModuleWithoutSinCompiles() throws IOException, InterruptedException {
    Compilation compilation =
        compile(
            """
            package canary;

            final class Canary {
              String something() {
                return "";
              }
            }
            """);
    assertThat(compilation.exit()).as(compilation.output()).isZero();
  }

  private record Compilation(int exit, String output) {}

  private static Compilation compile(String source) throws IOException, InterruptedException {
    FileSystemUtils.deleteRecursively(MODULE.resolve("target"));
    Files.writeString(MODULE.resolve("src/main/java/canary/Canary.java"), source);
    List<String> command = new ArrayList<>(List.of(ROOT.resolve("mvnw").toString(), "-B", "-o", "-q"));
    String repository = System.getProperty("maven.repo.local", System.getProperty("localRepository", ""));
    if (!repository.isEmpty()) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    command.addAll(List.of("-f", MODULE.resolve("pom.xml").toString(), "compile"));
    Path output = MODULE.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(MODULE.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    return new Compilation(process.waitFor(), Files.readString(output, StandardCharsets.UTF_8));
  }

  private static String version() throws IOException {
    String pom = Files.readString(ROOT.resolve("gateway/pom.xml"));
    int start = pom.indexOf("<version>") + "<version>".length();
    return pom.substring(start, pom.indexOf("</version>", start));
  }
}
