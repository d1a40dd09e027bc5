package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.key.AdministratorKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./gatehouse keys prepare}, {@code promote} and {@code retire} are in the audit log, beside a node and without one. */
@Timeout(120)
class KeyStepCommandsTest {

  @TempDir Path folder;
  private Path log;
  private CommandFolder commands;

  @BeforeEach
  void configure() throws IOException {
    commands = new CommandFolder(folder, "");
    log = folder.resolve("data/audit/audit.jsonl");
  }

  private int step(String step) {
    return step(step, "IDP_SIGNING");
  }

  private int step(String step, String use) {
    return commands.run("keys", step, "--config", commands.config.toString(), "--realm", "demo", "--use", use);
  }

  private String said() {
    return commands.out + "\n" + commands.err;
  }

  private List<String> events(String action) throws IOException {
    return Files.readAllLines(log).stream().filter(line -> line.contains("\"action\":\"" + action + "\"")).toList();
  }

  @Test
  void theNodeThatRunsRecordsTheStepAndAStoppedOneHasItBeforeItsNextStart() throws IOException {
    assertThat(step("prepare")).as(this::said).isZero();
    assertThat(commands.out.toString()).containsPattern("demo IDP_SIGNING  current +[0-9a-f]").contains("demo IDP_SIGNING  next ");
    assertThat(events("key.prepare")).singleElement().asString()
        .contains("\"realm\":\"demo\"", "\"administrator\":\"command line\"", "\"use\":\"IDP_SIGNING\"", "\"now\":\"true\"", " next=");
    try (RunningNode node = RunningNode.start(commands.config, Map.of())) {
      assertThat(node.ports().admin()).isPositive();
      assertThat(step("promote")).as(this::said).isZero();
      assertThat(commands.out.toString()).contains("demo IDP_SIGNING  current ", "demo IDP_SIGNING  previous ");
      assertThat(step("promote")).isEqualTo(1);
      assertThat(commands.err.toString()).contains("Nothing was changed: there is no next key");
    }
    assertThat(events("key.promote")).singleElement().asString()
        .contains("\"administrator\":\"keys-", "\"role\":\"admin\"", "\"now\":\"true\"", " previous=");
    assertThat(new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom()).list()).isEmpty();
    assertThat(step("retire")).as(this::said).isZero();
    assertThat(events("key.retire")).singleElement().asString().contains("\"administrator\":\"command line\"");
    assertThat(commands.run("audit", "verify", "--config", commands.config.toString())).as(this::said).isZero();
    RunningNode.start(commands.config, Map.of()).close();
  }

  @Test
  void noStepIsTakenBesideANodeThatDoesNotAnswer() throws IOException {
    Path data = folder.resolve("data");
    try (DataLock lock = DataLock.take(data, DataLock.NODE)) {
      lock.requireHeld();
      assertThat(step("prepare")).isEqualTo(1);
      assertThat(commands.err.toString()).contains("but nothing answers at ", "Nothing was changed.");
    }
    assertThat(data.resolve("keys")).doesNotExist();
    assertThat(step("prepare")).as(this::said).isZero();
  }

  @Test
  void aStepThatCannotBeRecordedIsNotTaken() throws IOException {
    Files.createDirectories(log);
    assertThat(step("prepare")).isEqualTo(1);
    assertThat(commands.err.toString()).contains("The audit log cannot be written").doesNotContain("\tat ");
    Files.delete(log);
    assertThat(step("promote")).isEqualTo(1);
    assertThat(commands.err.toString()).contains("there is no next key");
    assertThat(step("prepare")).as(this::said).isZero();
  }
}
