package dev.gatehouse.idp.oauth.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.idp.oauth.Authorization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The stored data of devices are encoded and decoded unchanged. */
class DeviceCodecTest {

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00.123Z");
  private static final PersonId ALICE = new PersonId("a11ce");

  private final DeviceAnswer.Codec answers = new DeviceAnswer.Codec();

  @Test
  void requestsAndQuestions() {
    DeviceRequest request =
        new DeviceRequest("demo", "tv", Set.of("openid", "read"), List.of("https://api.example"), "BCDFGHJK", NOW);
    assertSame(new JsonCodec<>(DeviceRequest.class), request);
    assertSame(new DeviceConfirmation.Codec(), new DeviceConfirmation("key", ALICE));
    assertSame(new JsonCodec<>(String.class), "key");
  }

  @Test
  void answers() {
    assertSame(answers, new DeviceAnswer(Optional.empty()));
    Person person = new Person(ALICE, "alice", "uid=alice,dc=example", Map.of("cn", List.of("Alice")), List.of(), Set.of());
    assertSame(
        answers,
        new DeviceAnswer(
            Optional.of(
                new Authorization(
                    new SessionId("id"), "demo", "tv", Optional.empty(),
                    new Authorization.Grant(Set.of("openid"), List.of(), Optional.empty(), Optional.empty()),
                    new Authorization.Authn(NOW, "password", List.of("pwd")), PersonSnapshot.of(person, NOW),
                    new Authorization.Tokens(Optional.empty(), Optional.empty()), NOW, NOW.plusSeconds(600)))));
    assertThatThrownBy(() -> answers.decode(new byte[] {7, 1})).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> answers.decode(new byte[0])).isInstanceOf(IllegalArgumentException.class);
  }

  private static <V> void assertSame(ValueCodec<V> codec, V value) {
    assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
  }
}
