package dev.gatehouse.common.realm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which redirect URIs prove the sector of a client that names none. */
final class ClientUrisTest {

  @ParameterizedTest
  @CsvSource({
    "https://app.example/cb, app.example",
    "https://app.example/cb https://app.example:8443/other, app.example",
    "http://127.0.0.1/cb, 127.0.0.1",
    "http://localhost:8080/cb, localhost"
  })
  void oneHost(String redirectUris, String sector) {
    assertThat(ClientUris.sector(List.of(redirectUris.split(" ", -1)))).contains(sector);
  }

  /** A private scheme proves nothing: neither by the host behind it nor by its own name, also beside a host that does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://app.example/cb https://two.example/cb",
        "https://app.example/cb http://127.0.0.1/cb",
        "com.evil.app://victim.example/cb",
        "victim.example:/cb",
        "https://victim.example/cb com.evil.app://victim.example/cb",
        "com.evil.app:/cb victim.example:/cb",
        "http://victim.example/cb"
      })
  void none(String redirectUris) {
    assertThat(ClientUris.sector(List.of(redirectUris.split(" ", -1)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "not an address"})
  void noAddress(String text) {
    assertThat(ClientUris.host(text)).isEmpty();
    assertThat(ClientUris.sector(List.of())).isEmpty();
  }
}
