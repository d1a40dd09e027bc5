package dev.gatehouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;

/**
 * Proves that Error Prone and NullAway are awake on this JDK: a module that inherits this build's compiler settings and commits one sin of
 * each kind must not compile, and both tools must say so; one beside it without sin must compile.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class CompilerCanaryTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  // Below the checkout, so that Maven finds .mvn/jvm.config as it does for every module.
  private static final Path BOTH = ROOT.resolve("gateway/target/canary");

  private static final String SINNER =
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
      """;

  private static final String SAINT =
      """
      package canary;

      final class Canary {
        String something() {
          return "";
        }
      }
      """;

  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <parent>
          <groupId>dev.gatehouse</groupId>
          <artifactId>gatehouse</artifactId>
          <version>%s</version>
          <relativePath>%s</relativePath>
        </parent>
        <artifactId>%s</artifactId>%s
      </project>
      """;

  private static final String MODULES =
      """

        <packaging>pom</packaging>
        <modules>
          <module>sinner</module>
          <module>saint</module>
        </modules>\
      """;

  private static final String PACKAGE_INFO =
      """
      @NullMarked
      package canary;

      import org.jspecify.annotations.NullMarked;
      """;

  private int exit;
  private String output = "";

  /** Both by one Maven, which goes on with the saint. */
  @BeforeAll
  void compile() throws IOException, InterruptedException {
    FileSystemUtils.deleteRecursively(BOTH);
    write(BOTH, "canary", "../../../pom.xml", MODULES);
    module("sinner", SINNER);
    module("saint", SAINT);
    List<String> command = new ArrayList<>(List.of(ROOT.resolve("mvnw").toString(), "-B", "-o", "-q", "--fail-at-end"));
    String repository = System.getProperty("maven.repo.local", System.getProperty("localRepository", ""));
    if (!repository.isEmpty()) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    command.addAll(List.of("-f", BOTH.resolve("pom.xml").toString(), "compile"));
    Path log = BOTH.resolve("output.txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(BOTH.toFile()).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    exit = process.waitFor();
    output = Files.readString(log, StandardCharsets.UTF_8);
  }

  @Test
  void bothToolsReportTheirSin() {
    assertThat(exit).as(output).isNotZero();
    assertThat(output).contains("[NullAway]").contains("[DeadException]");
    assertThat(compiled("sinner")).doesNotExist();
  }

  @Test
  void theSameModuleWithoutSinCompiles() {
    assertThat(compiled("saint")).as(output).exists();
  }

  private static Path compiled(String name) {
    return BOTH.resolve(name).resolve("target/classes/canary/Canary.class");
  }

  private static void module(String name, String source) throws IOException {
    Path folder = BOTH.resolve(name);
    Path sources = Files.createDirectories(folder.resolve("src/main/java/canary"));
    Files.writeString(sources.resolve("package-info.java"), PACKAGE_INFO);
    Files.writeString(sources.resolve("Canary.java"), source);
    write(folder, name, "../../../../pom.xml", "");
  }

  private static void write(Path folder, String name, String parent, String more) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("pom.xml"), POM.formatted(version(), parent, name, more));
  }

  private static String version() throws IOException {
    String pom = Files.readString(ROOT.resolve("gateway/pom.xml"));
    int start = pom.indexOf("<version>") + "<version>".length();
    return pom.substring(start, pom.indexOf("</version>", start));
  }
}
