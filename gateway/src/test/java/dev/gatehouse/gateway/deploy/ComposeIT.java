package dev.gatehouse.gateway.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ForkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;

/**
 * The Compose file of {@code docker/nodes}, its parts as processes: PostgreSQL, Valkey, HAProxy, slapd and nginx of this machine and four nodes,
 * with the commands, variables, files, users and privileges of the file, at its very ports, in a network namespace.
 */
@Tag("long")
@Timeout(300)
class ComposeIT {

  private static final long PATIENCE = 240;

  @Test
  void peopleLogInThroughHaproxyAndGoOnWhenOneOfEachPairIsKilled() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "makes namespaces");
    Path folder = ForkFolder.named("compose").toAbsolutePath();
    FileSystemUtils.deleteRecursively(folder);
    Files.createDirectories(folder);
    // All end with the first process of the namespace.
    List<String> command =
        new ArrayList<>(List.of("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m",
            "-Djdk.httpclient.allowRestrictedHeaders=host", "-cp", System.getProperty("java.class.path"), ComposeSite.class.getName(),
            Path.of("../docker/nodes/compose.yaml").toAbsolutePath().normalize().toString(), folder.toString()));
    command.addAll(BuiltNode.command());
    Path log = folder.resolve("site.log");
    Process site = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(site.waitFor(PATIENCE, TimeUnit.SECONDS)).as(() -> logs(folder)).isTrue();
    } finally {
      site.descendants().forEach(ProcessHandle::destroyForcibly);
      site.destroyForcibly().waitFor();
    }
    assertThat(site.exitValue()).as(() -> logs(folder)).isZero();
    assertThat(Files.readString(log)).endsWith("used\n");
  }

  private static String logs(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .sorted()
          .map(file -> "--- " + file.getFileName() + "\n" + text(file))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
