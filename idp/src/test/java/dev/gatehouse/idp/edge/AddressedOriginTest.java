package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Host field may say (RFC 9110, section 7.2). */
final class AddressedOriginTest {

  @ParameterizedTest
  @CsvSource({
    "https, IdP.example.org, idp.example.org, 443",
    "http, idp.example.org, idp.example.org, 80",
    "https, my_host-1.:8443, my_host-1., 8443",
    "http, a:00080, a, 80",
    "https, a:65535, a, 65535",
    "https, [::1], [::1], 443",
    "http, [FE80::1.2.3.4]:81, [fe80::1.2.3.4], 81",
  })
  void namesAnOrigin(String scheme, String authority, String host, int port) {
    assertThat(AddressedOrigin.origin(scheme, authority)).contains(new Origin(scheme, host, port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ":", ":80", "a:", "a:0", "a:65536", "a:99999", "a:000080", "a:\u0661", "a:1:2", "a::1", "::1", "[", "[]", "[:]x", "[::", "[::1]443",
        "[::1]:", "[::1]]", "[::g]", "a b", "a@b", "a/b", "a%", "a\n", "\u00e4"
      })
  void isInvalid(String authority) {
    assertThat(AddressedOrigin.origin("https", authority)).isEmpty();
    assertThat(AddressedOrigin.origin("http", authority)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"253, 45, true", "254, 46, false"})
  void hasABound(int name, int address, boolean isValid) {
    assertThat(AddressedOrigin.origin("https", "a".repeat(name)).isPresent()).isEqualTo(isValid);
    assertThat(AddressedOrigin.origin("https", "[" + "0".repeat(address) + "]").isPresent()).isEqualTo(isValid);
  }
}
