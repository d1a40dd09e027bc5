package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.directory.Slapd;
import dev.gatehouse.common.directory.TestPeople;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.common.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A node with the demo's configuration over slapd. */
record DirectoryNode(RunningNode node, Slapd slapd, Path data) implements AutoCloseable {

  static DirectoryNode start(Path folder) throws IOException, InterruptedException {
    Slapd slapd = Slapd.start(Slapd.FEDERATION, TestPeople.LDIF);
    List<Integer> free = FreePorts.take(7);
    DemoPorts ports =
        new DemoPorts(free.get(0), free.get(1), free.get(2), free.get(3), free.get(4), free.get(5), slapd.port(), free.get(6));
    Path config = folder.resolve("config");
    new DemoConfiguration(config).write(ports);
    Path file = config.resolve("gatehouse.yaml");
    Files.writeString(file, Files.readString(file).replaceAll("(?m)^    - .*certificate: .*\n", ""));
    Path realm = config.resolve("realms/demo.yaml");
    String bind = "  bindDn: " + TestPeople.SERVICE + "\n  bindPassword: " + TestPeople.SERVICE_PASSWORD + "\n";
    Files.writeString(
        realm,
        Files.readString(realm)
            .replace("  base: dc=example,dc=org\n", "  base: dc=example,dc=org\n" + bind)
            .replaceAll("(?m)^  otherOrigins: .*\n", ""));
    return new DirectoryNode(RunningNode.start(config, Map.of()), slapd, folder.resolve("data"));
  }

  /** Returns the lines of the audit log. */
  List<String> audited() throws IOException {
    try (Stream<Path> files = Files.walk(data.resolve("audit"))) {
      return files.filter(Files::isRegularFile).flatMap(DirectoryNode::lines).toList();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws Exception {
    node.close();
    slapd.close();
  }
}
