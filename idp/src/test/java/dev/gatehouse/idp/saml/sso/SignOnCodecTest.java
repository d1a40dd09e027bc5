package dev.gatehouse.idp.saml.sso;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SignOnCodecTest {

  private static final String PARTNER = "https://app.example/saml";
  private static final Instant NOW = Instant.parse("2026-11-22T10:00:00.123456789Z");

  private final SignOnCodec codec = new SignOnCodec();

  @Test
  void everyFieldComesBack() {
    SignOn full =
        new SignOn(
            "demo", PARTNER,
            new SignOn.Delivery(new ConsumerService(Binding.ARTIFACT, "https://app.example/acs"), true,
                Optional.of("_0123456789abcdef0123456789abcdef"), Optional.of("état <1> \uD83D\uDE00")),
            NOW, new RequestedNameId(NameIdFormat.PERSISTENT, true, true), Optional.of(7),
            new SignOn.Authentication(
                true,
                true,
                Optional.of(new RequestedAuthnContext("exact", List.of("a", "b"), List.of("c"))),
                Optional.of(new NameId("v", "f", Optional.of("q"), Optional.of("s"), Optional.of("p")))));
    assertThat(codec.decode(codec.encode(full))).isEqualTo(full);
    SignOn plain = signOn("https://elsewhere.example/acs", Optional.empty());
    assertThat(codec.decode(codec.encode(plain))).isEqualTo(plain);
  }

  @Test
  void aUsualOneIsSmall() {
    SignOn usual = signOn(PARTNER + "/acs", Optional.of("_0123456789abcdef0123456789abcdef"));
    assertThat(codec.encode(usual)).hasSizeLessThan(100);
    assertThat(codec.decode(codec.encode(usual))).isEqualTo(usual);
  }

  @Test
  void otherBytesAreRefused() {
    byte[] bytes = codec.encode(signOn(PARTNER, Optional.empty()));
    assertThatThrownBy(() -> codec.decode(Arrays.copyOf(bytes, bytes.length - 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.decode(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(IllegalArgumentException.class);
    // The next format may only append.
    bytes[0]++;
    assertThat(codec.decode(bytes)).isEqualTo(signOn(PARTNER, Optional.empty()));
    bytes[0]++;
    assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(IllegalArgumentException.class);
  }

  private static SignOn signOn(String location, Optional<String> requestId) {
    return new SignOn(
        "demo", PARTNER, new SignOn.Delivery(new ConsumerService(Binding.POST, location), false, requestId, Optional.empty()),
        NOW, RequestedNameId.of(NameIdFormat.TRANSIENT), Optional.empty(),
        new SignOn.Authentication(false, false, Optional.empty(), Optional.empty()));
  }
}
