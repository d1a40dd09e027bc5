package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.cli.ScriptedNode;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./gatehouse audit} and {@code ./gatehouse keys audit}, beside a node and after it. */
@Timeout(120)
class AuditCommandsTest {


  @TempDir Path folder;
  private Path config;
  private Path log;
  private CommandFolder commands;
  private StringWriter out;
  private StringWriter err;

  @BeforeEach
  void configure() throws IOException {
    commands = new CommandFolder(folder, "");
    out = commands.out;
    err = commands.err;
    config = commands.config;
    log = folder.resolve("data/audit/audit.jsonl");
  }

  private int run(String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("--config", config.toString()));
    return commands.run(line.toArray(String[]::new));
  }

  @Test
  void aLogIsVerifiedBesideItsNodeAndAfterIt() throws IOException {
    assertThat(run("keys", "audit")).isEqualTo(1);
    assertThat(err.toString()).contains("no such key yet");
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      assertThat(node.ports().admin()).isPositive();
      assertThat(run("audit", "verify")).as(() -> out + err.toString()).isZero();
      assertThat(out.toString()).contains(" events in 1 file(s)", " bytes an event.", "No checkpoint covers", "No problems.");
    }
    assertThat(run("audit", "verify")).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("2 checkpoints agree; the newest, of 20");
    assertThat(run("keys", "audit")).isZero();
    Path key = Files.writeString(folder.resolve("audit.jwks"), out.toString());
    assertThat(run("keys", "list")).isZero();
    assertThat(out.toString()).contains("audit log  current  ", "P_256");
    assertThat(run("audit", "verify", "--keys", key.toString())).isZero();

    Path kept = Files.copy(log, folder.resolve("kept.jsonl"));
    List<String> lines = Files.readAllLines(log);
    lines.set(0, lines.getFirst().replace("started", "stopped"));
    Files.write(log, lines);
    assertThat(run("audit", "verify")).isEqualTo(1);
    assertThat(out.toString()).contains(log + ":1: event 1 was changed", "1 problem.");

    Files.delete(folder.resolve("data/keys/audit-head"));
    Files.walk(folder.resolve("data/audit/checkpoints")).filter(Files::isRegularFile).forEach(file -> file.toFile().delete());
    Files.write(log, Files.readAllLines(kept).subList(0, 1));
    assertThat(run("audit", "verify")).isZero();
    assertThat(run("audit", "verify", "--against", kept.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("the log was cut off: it ends with event 1");
    assertThat(run("audit", "verify", "--against", "nothing")).isEqualTo(1);
    assertThat(err.toString()).contains("There is no file nothing");
    assertThat(run("audit", "verify", "--unknown")).isEqualTo(2);
  }

  @Test
  void eventsOfARunningNodeAreFound() throws IOException {
    assertThat(run("audit", "search")).isEqualTo(1);
    assertThat(err.toString()).contains("No node answers");
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      assertThat(node.ports().admin()).isPositive();
      Eventually.holds(() -> run("audit", "search", "--event", "InstallationChanged") == 0 && out.toString().contains("\"change\":\"started\""));
      assertThat(run("audit", "search", "--event", "InstallationChanged", "--format", "cef", "--limit", "0", "--realm", "-")).isZero();
      assertThat(out.toString()).startsWith("CEF:0|Gatehouse|Gatehouse|1|InstallationChanged|");
      assertThat(run("audit", "search", "--person", "nobody of that name & more")).isZero();
      assertThat(out.toString()).isEmpty();
      assertThat(run("audit", "search", "--from", "yesterday")).isEqualTo(1);
      assertThat(err.toString()).contains("`from` is a time like");
    }
    assertThat(folder.resolve("data/audit/index")).isDirectoryContaining("glob:**.part");
    assertThat(run("audit", "verify")).as(() -> out + err.toString()).isZero();
  }

  @Test
  void whyASearchHasNoResultIsSaid() throws IOException {
    String key = Files.writeString(folder.resolve("key"), ScriptedNode.KEY + "\n").toString();
    Path yaml = config.resolve("gatehouse.yaml");
    try (ScriptedNode node = new ScriptedNode()) {
      String admin = "admin: {address: 127.0.0.1, port: ";
      Files.writeString(yaml, Files.readString(yaml).replaceFirst(Pattern.quote(admin) + "\\d+", admin + node.address().getPort()));
      node.breaks();
      assertThat(run("audit", "search", "--key-file", key)).isEqualTo(1);
      assertThat(err.toString()).startsWith("The node at " + node.address() + " gives no answer: ").doesNotContain("\tat ");
      node.answers(403, "{\"title\":\"Forbidden\",\"detail\":\"This administrator key is not known here.\"}");
      assertThat(run("audit", "search", "--key-file", key)).isEqualTo(1);
      assertThat(err.toString()).isEqualToIgnoringNewLines("The node refuses: This administrator key is not known here.");
      node.answers(502, "<html>no</html>");
      assertThat(run("audit", "search", "--key-file", key)).isEqualTo(1);
      assertThat(err.toString()).isEqualToIgnoringNewLines(node.address() + " does not answer as a node of Gatehouse does (status 502).");
      node.strangerAnswers(200, "<html>no</html>");
      assertThat(run("audit", "search", "--key-file", key)).isEqualTo(1);
      assertThat(err.toString()).isEqualToIgnoringNewLines(node.address() + " does not answer as a node of Gatehouse does (status 200).");
      assertThat(out.toString()).isEmpty();
    }
  }

  @Test
  void aNodeRunsAndStopsWithAReceiverThatIsAwayAndAnArchiveThatCannotBeMade() throws IOException {
    Path yaml = config.resolve("gatehouse.yaml");
    Path taken = Files.writeString(folder.resolve("taken"), "a file");
    int port = FreePorts.take(1).getFirst();
    Files.writeString(
        yaml, Files.readString(yaml) + "\naudit: {archive: {to: " + taken + "}, syslog: [{host: localhost, port: " + port + "}]}\n");
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      Eventually.holds(() -> Files.exists(folder.resolve("data/audit/syslog/localhost_" + port + ".position")));
      assertThat(node.ports().admin()).isPositive();
    }
    assertThat(run("audit", "verify")).as(() -> out + err.toString()).isZero();
  }

  @Test
  void aNodeWhoseAuditKeyIsLostDoesNotStartWithAnother() throws IOException {
    RunningNode.start(config, Map.of()).close();
    Files.delete(folder.resolve("data/keys/audit-signing.pem"));
    assertThat(run("run")).isEqualTo(1);
    assertThat(err.toString()).contains("audit-signing.pem is missing");
  }
}
