package dev.gatehouse.idp.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.gatehouse.idp.agent.server.Outcome.Answered;
import dev.gatehouse.idp.agent.server.Outcome.Deposed;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which epochs of servers an agent believes, and what it keeps of them. */
class RealmEpochTest {

  private static final URI REALM = URI.create("https://login.example.org/realms/staff");
  private static final Answered ANSWER = new Answered(200, Map.of(), Optional.empty());

  @TempDir private Path folder;

  private static boolean counts(RealmEpoch epoch, String server, String... told) {
    return epoch.checked(server, List.of(told), ANSWER).equals(ANSWER);
  }

  @Test
  void theHighestOneIsKeptOnDiskForEachRealm() throws IOException {
    try (RealmEpoch epoch = RealmEpoch.open(folder, REALM)) {
      assertThat(counts(epoch, "a", "1")).isTrue();
      assertThat(counts(epoch, "b", "3")).isTrue();
      assertThat(counts(epoch, "a", "2")).isFalse();
      assertThat(counts(epoch, "a", "1")).isFalse();
      assertThat(epoch.refusals()).isEqualTo(2);
      assertThatIOException().isThrownBy(() -> RealmEpoch.open(folder, REALM)).withMessageContaining("another folder");
      assertThatIOException().isThrownBy(() -> RealmEpoch.forget(folder, REALM)).withMessageContaining("stop");
    }
    try (RealmEpoch again = RealmEpoch.open(folder, REALM);
        RealmEpoch other = RealmEpoch.open(folder, URI.create("https://login.example.org/realms/others"))) {
      assertThat(counts(again, "a", "2")).as("after a restart").isFalse();
      assertThat(counts(other, "a", "2")).as("of another realm").isTrue();
    }
    assertThat(RealmEpoch.look(folder, REALM).highest()).isEqualTo(3);
  }

  @Test
  void aServerThatTellsNoneIsAtTheFirst() {
    RealmEpoch epoch = RealmEpoch.inMemory(0);
    assertThat(counts(epoch, "a")).isTrue();
    assertThat(counts(epoch, "b", "1")).isTrue();
    assertThat(counts(epoch, "a")).isTrue();
    assertThat(counts(epoch, "b", "2")).isTrue();
    assertThat(counts(epoch, "a")).as("a former version, or an attempt to be taken for it").isFalse();
    Answered away = new Answered(503, Map.of(), Optional.empty());
    assertThat(epoch.checked("a", List.of(), away)).as("of a balancer").isEqualTo(away);
    assertThat(epoch.checked("a", List.of(), new Answered(401, Map.of(), Optional.empty()))).isInstanceOf(Deposed.class);
  }

  @Test
  void aNumberThatNoNominationsMadeLocksNobodyOut() {
    RealmEpoch epoch = RealmEpoch.inMemory(2);
    for (String odd : List.of("1003", "999999999999", "9223372036854775808", "0", "-1", "02", " 3", "3 ", "3, 4", "x", "")) {
      assertThat(counts(epoch, "liar", odd)).as(odd).isFalse();
    }
    assertThat(counts(epoch, "liar", "3", "3")).as("twice").isFalse();
    assertThat(epoch.highest()).isEqualTo(2);
    assertThat(counts(epoch, "b", "2")).isTrue();
    assertThat(epoch.checked("liar", List.of("1003"), ANSWER)).isInstanceOf(Deposed.class);
  }

  @Test
  void aLieIsForgottenByTheOperator() throws IOException {
    try (RealmEpoch epoch = RealmEpoch.open(folder, REALM)) {
      assertThat(counts(epoch, "a", "2")).isTrue();
      assertThat(counts(epoch, "liar", "900")).isTrue();
      assertThat(counts(epoch, "a", "2")).as("nobody can tell which of them lies").isFalse();
    }
    assertThat(RealmEpoch.forget(folder, REALM)).contains(900L);
    assertThat(RealmEpoch.forget(folder, REALM)).isEmpty();
    try (RealmEpoch epoch = RealmEpoch.open(folder, REALM)) {
      assertThat(counts(epoch, "a", "2")).isTrue();
    }
  }

  @Test
  void whatIsDamagedIsNotTakenForNothing() throws IOException {
    for (String damaged : List.of("", "{}", "{\"realm\":\"" + REALM + "\"}", "{\"realm\":\"https://other\",\"epoch\":3}")) {
      Files.writeString(RealmEpoch.file(folder, REALM), damaged);
      assertThatIOException().isThrownBy(() -> RealmEpoch.open(folder, REALM)).withMessageContaining("--forget-epoch");
    }
    assertThat(RealmEpoch.forget(folder, REALM)).contains(0L);
  }

  @Test
  void onAFullDiskItCountsUntilTheAgentStops() throws IOException {
    Path inner = folder.resolve("state");
    try (RealmEpoch epoch = RealmEpoch.open(inner, REALM)) {
      try (var files = Files.list(inner)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(inner);
      assertThat(counts(epoch, "b", "3")).isTrue();
      assertThat(counts(epoch, "a", "2")).isFalse();
    }
  }
}
