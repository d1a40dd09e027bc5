package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SameOriginTest {

  private static final Origin HERE = new Origin("https", "id.example", 443);

  @ParameterizedTest
  @CsvSource({
    "Sec-Fetch-Site, same-origin, true, true",
    "Sec-Fetch-Site, same-site, false, false",
    "Sec-Fetch-Site, cross-site, false, false",
    "Sec-Fetch-Site, none, false, false",
    "Origin, https://id.example, true, true",
    "Origin, https://id.example.evil.example, false, false",
    "Origin, http://id.example, false, false",
    "Origin, null, false, false",
    "Referer, https://id.example/realms/demo/login?x=1, true, true",
    "Referer, https://evil.example/https://id.example/, false, false",
    "Referer, https://id.example@evil.example/, false, false",
    "Referer, not an address, false, false",
    "Accept, text/html, false, true"
  })
  void theFirstOfTheThreeFieldsDecides(String name, String value, boolean sent, boolean mayHaveSent) {
    EdgeRequest request = request(Headers.empty().and(name, value));
    assertThat(SameOrigin.sent(request)).isEqualTo(sent);
    assertThat(SameOrigin.mayHaveSent(request)).isEqualTo(mayHaveSent);
  }

  @ParameterizedTest
  @CsvSource({"Sec-Fetch-Site, cross-site, Origin, https://id.example", "Origin, https://evil.example, Referer, https://id.example/",
    "Origin, https://id.example, Origin, https://evil.example"})
  void aLaterFieldMendsNothing(String first, String value, String second, String other) {
    assertThat(SameOrigin.mayHaveSent(request(Headers.empty().and(first, value).and(second, other)))).isFalse();
  }

  private static EdgeRequest request(Headers headers) {
    return new EdgeRequest("POST", HERE, "/", "", headers, new byte[0], InetAddress.ofLiteral("192.0.2.1"));
  }
}
