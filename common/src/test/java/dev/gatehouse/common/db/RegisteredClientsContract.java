package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link RegisteredClients}. */
abstract class RegisteredClientsContract {

  private static final Instant THEN = Instant.parse("2026-01-01T12:00:00Z");

  protected abstract RegisteredClients clients();

  private static RegisteredClient client(String realm, String id, Instant at) {
    return new RegisteredClient(realm, id, "{\"client_name\":\"ä €\"}", Optional.of("sealed"), "digest", "ops", at);
  }

  @Test
  void isFoundByRealmAndId() {
    RegisteredClient app = client("demo", "app", THEN);
    clients().add(app);
    assertThat(clients().find("demo", "app")).contains(app);
    assertThat(clients().find("other", "app")).isEmpty();
    assertThat(clients().find("demo", "App")).isEmpty();
    assertThatThrownBy(() -> clients().add(app)).isInstanceOf(RuntimeException.class);
  }

  @Test
  void changesItsMetadataAndSecretAlone() {
    clients().add(client("demo", "app", THEN));
    RegisteredClient changed =
        new RegisteredClient("demo", "app", "{}", Optional.empty(), "another", "somebody", THEN.plusSeconds(9));
    assertThat(clients().change(changed)).isTrue();
    assertThat(clients().find("demo", "app"))
        .contains(new RegisteredClient("demo", "app", "{}", Optional.empty(), "digest", "ops", THEN));
    assertThat(clients().change(client("demo", "gone", THEN))).isFalse();
    assertThat(clients().find("demo", "gone")).isEmpty();
  }

  @Test
  void isCountedListedAndRemoved() {
    clients().add(client("demo", "first", THEN));
    clients().add(client("demo", "second", THEN.plusSeconds(1)));
    clients().add(client("other", "third", THEN));
    assertThat(clients().count("demo")).isEqualTo(2);
    assertThat(clients().page("demo", "", 10)).extracting(RegisteredClient::clientId).containsExactly("first", "second");
    assertThat(clients().page("demo", "", 1)).extracting(RegisteredClient::clientId).containsExactly("first");
    assertThat(clients().page("demo", "first", 10)).extracting(RegisteredClient::clientId).containsExactly("second");
    assertThat(clients().remove("demo", "first")).isTrue();
    assertThat(clients().remove("demo", "first")).isFalse();
    assertThat(clients().find("demo", "first")).isEmpty();
    assertThat(clients().count("demo")).isEqualTo(1);
  }
}
