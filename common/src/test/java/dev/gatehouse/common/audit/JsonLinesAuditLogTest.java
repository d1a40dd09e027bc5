package dev.gatehouse.common.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.store.Race;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonLinesAuditLogTest {

  private static final Context CONTEXT = Context.of("demo", InetAddress.ofLiteral("192.0.2.1"));
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir Path root;
  private final TestTime time = new TestTime();
  private final List<JsonLinesAuditLog> opened = new ArrayList<>();

  private JsonLinesAuditLog open(long maxBytes) {
    JsonLinesAuditLog log = new JsonLinesAuditLog(root.resolve("audit"), maxBytes, Duration.ofDays(30), time);
    opened.add(log);
    return log;
  }

  @AfterEach
  void close() {
    opened.forEach(JsonLinesAuditLog::close);
  }

  private Path file() {
    return root.resolve("audit/audit.jsonl");
  }

  private static AuditEvent refused(String name) {
    return new AuditEvent.LoginRefused(CONTEXT, name, "password", "WRONG_PASSWORD");
  }

  private List<JsonNode> lines() throws IOException {
    return Files.readAllLines(file()).stream().map(JSON::readTree).toList();
  }

  private Set<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("audit"))) {
      return new HashSet<>(files.toList());
    }
  }

  @Test
  void writesOneObjectALineBeforeItReturns() throws Exception {
    JsonLinesAuditLog log = open(1 << 20);
    log.record(new AuditEvent.LoginSucceeded(CONTEXT.withReference("R-1"), "uuid", "alice", "password", "sid"));
    assertThat(Files.readString(file()))
        .matches(
            "\\{\"time\":\"2026-01-01T12:00:00.000Z\",\"event\":\"LoginSucceeded\",\"realm\":\"demo\","
                + "\"client\":\"192.0.2.1\",\"reference\":\"R-1\",\"person\":\"uuid\",\"name\":\"alice\","
                + "\"contract\":\"password\",\"session\":\"sid\",\"seq\":1,\"chain\":\"[0-9a-f]{32}\"\\}\n");
    log.record(new AuditEvent.Administered(Context.node(), "root", "reload", Map.of("realm", "demo")));
    log.record(new AuditEvent.ConfigurationChanged(Context.node(), "realm demo", "abc", false, "line 3"));
    assertThat(lines().get(1).at("/details/realm").asString()).isEqualTo("demo");
    assertThat(lines().get(1).has("reference")).isFalse();
    assertThat(lines().get(2).get("accepted").asBoolean()).isFalse();
    assertThat(lines().get(2).get("accepted").isBoolean()).isTrue();
  }

  @Test
  void escapesWhateverCouldForgeALineOrSpeakToATerminal() throws Exception {
    JsonLinesAuditLog log = open(1 << 20);
    String name =
        "a\"b\\c\r\n{\"event\":\"LoginSucceeded\"}\0\u001b[2J\u007f\u009b31m\u0085\u2028\u202eJörg 😀\ud800";
    log.record(refused(name));
    byte[] bytes = Files.readAllBytes(file());
    for (int i = 0; i < bytes.length - 1; i++) {
      assertThat(bytes[i]).isBetween((byte) ' ', (byte) '~');
    }
    assertThat(bytes[bytes.length - 1]).isEqualTo((byte) '\n');
    assertThat(lines()).hasSize(1);
    assertThat(lines().getFirst().get("event").asString()).isEqualTo("LoginRefused");
    assertThat(lines().getFirst().get("name").asString()).isEqualTo(name);
  }

  @Test
  void cutsLongValues() throws Exception {
    open(1 << 20).record(refused("x".repeat(1_000_000)));
    assertThat(Files.size(file())).isLessThan(3000);
    assertThat(lines().getFirst().get("name").asString()).startsWith("xxx").endsWith("... and 998000 more");
  }

  @Test
  void isForItsOwnerOnly() throws Exception {
    open(1 << 20).record(refused("alice"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file()))).isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent()))).isEqualTo("rwx------");
  }

  @Test
  void losesAndMixesNothingOfManyAtOnce() throws Exception {
    JsonLinesAuditLog log = open(1 << 20);
    Race.of(
        2000,
        i -> () -> {
          log.record(refused("name" + i));
          return i;
        });
    Set<String> names = new HashSet<>();
    lines().forEach(line -> names.add(line.get("name").asString()));
    assertThat(lines()).hasSize(2000);
    assertThat(names).hasSize(2000);
  }

  @Test
  void anInterruptedThreadWritesLikeAnyOther() throws Exception {
    JsonLinesAuditLog log = open(1 << 20);
    log.record(refused("before"));
    Thread.currentThread().interrupt();
    log.record(refused("interrupted"));
    assertThat(Thread.interrupted()).isTrue();
    log.record(refused("after"));
    assertThat(lines()).extracting(line -> line.get("name").asString()).containsExactly("before", "interrupted", "after");
  }

  @Test
  void appendsAfterARestart() throws Exception {
    JsonLinesAuditLog first = open(1 << 20);
    first.record(refused("one"));
    first.close();
    assertThatExceptionOfType(AuditUnavailable.class).isThrownBy(() -> first.record(refused("closed")));
    open(1 << 20).record(refused("two"));
    assertThat(lines()).extracting(line -> line.get("name").asString()).containsExactly("one", "two");
  }

  @Test
  void rotatesAtTheSizeAndRemovesWhatIsOld() throws Exception {
    JsonLinesAuditLog log = open(520);
    Path foreign = Files.writeString(root.resolve("audit/audit-keep-me.jsonl"), "");
    for (int i = 0; i < 10; i++) {
      log.record(refused("name" + i));
    }
    Set<Path> before = files();
    assertThat(before).hasSize(1 + 1 + 4);
    assertThat(before).contains(root.resolve("audit/audit-20260101T120000000Z.jsonl"));
    for (Path file : before) {
      assertThat(Files.size(file)).isLessThanOrEqualTo(520);
    }
    time.advance(Duration.ofDays(31));
    log.record(refused("later"));
    assertThat(files()).contains(foreign, file()).hasSize(2 + 1);
  }

  @Test
  void refusesWhileItCannotWriteAndRecoversByItself() throws Exception {
    JsonLinesAuditLog log = open(1 << 20);
    log.record(refused("before"));
    Path directory = root.resolve("audit");
    Path away = Files.move(directory, root.resolve("away"));
    // For a tenth of a second the log still writes to the file that was moved away.
    Thread.sleep(150);
    assertThatExceptionOfType(AuditUnavailable.class).isThrownBy(() -> log.record(refused("gone")));
    Files.writeString(directory, "a file where the directory was");
    assertThatExceptionOfType(AuditUnavailable.class).isThrownBy(() -> log.record(refused("in the way")));
    Files.delete(directory);
    Files.move(away, directory);
    log.record(refused("after"));
    assertThat(lines()).extracting(line -> line.get("name").asString()).containsExactly("before", "after");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void refusesOnAFullDiskAndRecoversByItself() throws Exception {
    JsonLinesAuditLog log = open(1 << 20);
    Files.createSymbolicLink(file(), Path.of("/dev/full"));
    assertThatExceptionOfType(AuditUnavailable.class)
        .isThrownBy(() -> log.record(refused("full")))
        .withMessageContaining("No space left");
    Files.delete(file());
    log.record(refused("after"));
    assertThat(lines()).extracting(line -> line.get("name").asString()).containsExactly("after");
  }

  @Test
  void doesNotStartWhereItsDirectoryCannotBe() throws Exception {
    Files.writeString(root.resolve("audit"), "a file");
    assertThatExceptionOfType(AuditUnavailable.class).isThrownBy(() -> open(1 << 20));
  }
}
