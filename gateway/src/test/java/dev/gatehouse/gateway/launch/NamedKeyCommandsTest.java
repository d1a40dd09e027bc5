package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that {@code ./gatehouse keys admin} and {@code registration} make or revoke are in the audit log, with a node and without. */
@Timeout(120)
class NamedKeyCommandsTest {

  @TempDir Path folder;
  private Path log;
  private CommandFolder commands;

  @BeforeEach
  void configure() throws IOException {
    commands = new CommandFolder(folder, "");
    log = folder.resolve("data/audit/audit.jsonl");
  }

  private int keys(String kind, String... options) {
    Stream<String> words = Stream.concat(Stream.of("keys", kind, "--config", commands.config.toString()), Stream.of(options));
    return commands.run(words.toArray(String[]::new));
  }

  private String said() {
    return commands.out + "\n" + commands.err;
  }

  private List<String> events(String action) throws IOException {
    return Files.readAllLines(log).stream().filter(line -> line.contains("\"action\":\"" + action + "\"")).toList();
  }

  private List<String> names() {
    AdministratorKeys keys = new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom());
    return keys.list().stream().map(NamedKey::name).toList();
  }

  @Test
  void aNodeThatRunsRecordsKeysAndThoseOfAStoppedOneAreThereBeforeItsNextStart() throws IOException {
    assertThat(keys("admin", "--name", "desk", "--role", "helpdesk@demo", "--expires", "30")).as(this::said).isZero();
    assertThat(commands.out.toString()).startsWith("gha_").doesNotContain(" ");
    assertThat(events("administratorKey.create")).singleElement().asString()
        .contains("\"administrator\":\"command line\"", "\"name\":\"desk\"", "\"before\":\"-\"", "\"after\":\"helpdesk@demo until 2")
        .doesNotContain(commands.out.toString().strip());
    try (RunningNode node = RunningNode.start(commands.config, Map.of())) {
      assertThat(node.ports().admin()).isPositive();
      assertThat(keys("admin", "--revoke", "desk")).as(this::said).isZero();
      assertThat(commands.out.toString()).isEqualToIgnoringNewLines("Revoked.");
      assertThat(keys("admin", "--revoke", "desk")).isEqualTo(1);
      assertThat(keys("registration", "--name", "wiki")).as(this::said).isZero();
      assertThat(commands.out.toString()).startsWith("ghr_");
      assertThat(keys("registration", "--name", "wiki")).isEqualTo(1);
      assertThat(commands.err.toString()).contains("there is a key named wiki already");
      assertThat(keys("admin", "--list")).isZero();
      assertThat(commands.out.toString()).as("the temporary keys are gone").isEmpty();
    }
    assertThat(events("administratorKey.revoke")).singleElement().asString()
        .contains("\"administrator\":\"keys-", "\"role\":\"admin\"", "\"name\":\"desk\"")
        .contains("\"before\":\"helpdesk@demo until 2", "\"after\":\"-\"");
    assertThat(events("registrationKey.create")).singleElement().asString()
        .contains("\"administrator\":\"keys-", "\"name\":\"wiki\"", "\"after\":\"registration\"");
    assertThat(keys("registration", "--revoke", "wiki")).as(this::said).isZero();
    assertThat(events("registrationKey.revoke")).singleElement().asString().contains("\"administrator\":\"command line\"");
    assertThat(commands.run("audit", "verify", "--config", commands.config.toString())).as(this::said).isZero();
    RunningNode.start(commands.config, Map.of()).close();
  }

  @Test
  void besideANodeThatDoesNotAnswerAKeyIsRevokedAndNoneIsMade() throws IOException {
    for (String name : List.of("ops", "leaked")) {
      assertThat(keys("admin", "--name", name)).as(this::said).isZero();
    }
    try (DataLock lock = DataLock.take(folder.resolve("data"), DataLock.NODE)) {
      lock.requireHeld();
      assertThat(keys("admin", "--name", "other")).isEqualTo(1);
      assertThat(commands.err.toString()).startsWith("No key was made.").contains("but nothing answers at ", "Nothing was recorded.");
      assertThat(keys("admin", "--revoke", "leaked")).isEqualTo(1);
      assertThat(commands.out.toString()).isEqualToIgnoringNewLines("Revoked.");
      assertThat(commands.err.toString())
          .startsWith("The key leaked is revoked, but this is not in the audit log. Record it as soon as a node answers:")
          .contains("' | ./gatehouse admin keys record-change --file - --config " + commands.config)
          .contains("but nothing answers at ", "Nothing was recorded.");
      Files.writeString(folder.resolve("change.json"), commands.err.toString().replaceAll("(?s).*echo '([^']*)'.*", "$1"));
      assertThat(keys("admin", "--list")).isZero();
      assertThat(commands.out.toString()).contains("  ops  admin  does not end");
    }
    assertThat(names()).containsExactly("ops");
    assertThat(events("administratorKey.revoke")).isEmpty();
    try (RunningNode node = RunningNode.start(commands.config, Map.of())) {
      assertThat(node.ports().admin()).isPositive();
      String[] later = {"--file", folder.resolve("change.json").toString(), "--config", commands.config.toString()};
      assertThat(commands.run(Stream.concat(Stream.of("admin", "keys", "record-change"), Stream.of(later)).toArray(String[]::new)))
          .as(this::said)
          .isZero();
    }
    assertThat(events("administratorKey.revoke")).singleElement().asString()
        .contains("\"administrator\":\"admin-", "\"name\":\"leaked\"", "\"before\":\"admin\"", "\"after\":\"-\"");
  }

  @Test
  void aKeyIsRevokedWhoeverAnswersInPlaceOfTheNodeAndTheFirstOneIsMade() throws IOException {
    for (String name : List.of("ops", "leaked")) {
      assertThat(keys("admin", "--name", name)).as(this::said).isZero();
    }
    AtomicBoolean answers = new AtomicBoolean(true);
    HttpServer stranger = HttpServer.create(ConfigurationOption.loadNode(commands.config).node().listeners().admin().address(), 0);
    stranger.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          if (answers.get()) {
            exchange.sendResponseHeaders(404, -1);
          }
          exchange.close();
        });
    stranger.start();
    try (DataLock lock = DataLock.take(folder.resolve("data"), DataLock.NODE)) {
      lock.requireHeld();
      assertThat(keys("admin", "--revoke", "leaked")).isEqualTo(1);
      assertThat(commands.err.toString()).contains("The key leaked is revoked, but this is not in the audit log.", "(status 404).");
      answers.set(false);
      assertThat(keys("admin", "--revoke", "ops")).isEqualTo(1);
      assertThat(commands.err.toString())
          .contains("The key ops is revoked, but this may be missing in the audit log. Unless it is there, record it", "gives no answer: ");
      assertThat(names()).isEmpty();
      assertThat(keys("registration", "--name", "wiki")).isEqualTo(1);
      assertThat(commands.out.toString()).isEmpty();
      assertThat(commands.err.toString()).startsWith("No key was made, though the audit log may say that one was.");
      assertThat(keys("admin", "--name", "first")).isEqualTo(1);
      assertThat(commands.out.toString()).startsWith("gha_");
      assertThat(commands.err.toString()).contains("The key first is made, but this may be missing in the audit log.");
    } finally {
      stranger.stop(0);
    }
    assertThat(names()).containsExactly("first");
    assertThat(keys("registration", "--list")).isZero();
    assertThat(commands.out.toString()).isEmpty();
  }

  @Test
  void withoutTheAuditLogNoKeyIsMadeAndOneIsRevoked() throws IOException {
    Files.createDirectories(log);
    for (String kind : List.of("admin", "registration")) {
      assertThat(keys(kind, "--name", "ops")).isEqualTo(1);
      assertThat(commands.err.toString()).contains("No key was made.", "The audit log cannot be written").doesNotContain("\tat ");
      assertThat(commands.out.toString()).isEmpty();
    }
    assertThat(names()).isEmpty();
    Files.delete(log);
    assertThat(keys("admin", "--name", "ops")).as(this::said).isZero();
    assertThat(names()).containsExactly("ops");
    Files.delete(log);
    Files.createDirectories(log);
    assertThat(keys("admin", "--revoke", "ops")).isEqualTo(1);
    assertThat(commands.out.toString()).isEqualToIgnoringNewLines("Revoked.");
    assertThat(commands.err.toString()).contains("The key ops is revoked, but this is not in the audit log.");
    assertThat(names()).isEmpty();
  }
}
