package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Artifacts of type 0x0004 (SAML Bindings 3.6.4.2), and how browsers bring them. */
class ArtifactFormatTest {

  private static final String LOCATION = "https://app.example/artifact";

  private final SamlReader reader = new StrictSamlReader();
  private final SamlWriter writer = new CanonicalSamlWriter();
  private final Artifact artifact = Artifact.create(258, SamlFixtures.IDP, new Random(1));

  @Test
  void hasTheBytesOfTheBinding() throws Exception {
    byte[] bytes = Base64.getDecoder().decode(artifact.value());

    assertThat(bytes).hasSize(44).startsWith(0, 4, 1, 2);
    assertThat(Arrays.copyOfRange(bytes, 4, 24))
        .isEqualTo(MessageDigest.getInstance("SHA-1").digest(SamlFixtures.IDP.getBytes(StandardCharsets.UTF_8)));
    assertThat(Artifact.parse(artifact.value())).isEqualTo(new Result.Accepted<>(artifact));
    assertThat(Artifact.create(258, SamlFixtures.IDP, new Random(2))).isNotEqualTo(artifact);
    assertThat(artifact.toString()).doesNotContain(artifact.messageHandle()).doesNotContain(artifact.value());
  }

  @Test
  void readsTheExtremes() {
    for (int index : new int[] {0, 1, 65535}) {
      Artifact other = Artifact.create(index, "x", new Random(index));
      assertThat(Artifact.parse(other.value())).isEqualTo(new Result.Accepted<>(other));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Artifact.create(65536, "x", new Random(1)));
  }

  @Test
  void refusesEveryOtherLength() {
    for (int length = 0; length < 200; length++) {
      byte[] bytes = new byte[length];
      if (length > 1) {
        bytes[1] = 4;
      }
      String value = Base64.getEncoder().encodeToString(bytes);
      assertThat(Artifact.parse(value) instanceof Result.Accepted).as("%d bytes", length).isEqualTo(length == 44);
    }
    assertThat(Forgery.reason(Artifact.parse("A".repeat(10_000_000)))).isEqualTo(Reason.ARTIFACT_MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 0x0400, 0xffff})
  void refusesEveryOtherType(int type) {
    byte[] bytes = Base64.getDecoder().decode(artifact.value());
    bytes[0] = (byte) (type >> 8);
    bytes[1] = (byte) type;

    assertThat(Artifact.parse(Base64.getEncoder().encodeToString(bytes)))
        .isEqualTo(
            new Result.Refused<>(
                new SamlRefusal(Reason.ARTIFACT_MALFORMED, "an artifact that is of another type than 0x0004")));
  }

  /** An artifact has exactly one spelling; otherwise it could be resolved again in another. */
  @Test
  void refusesOtherSpellings() {
    String value = artifact.value();
    char last = value.charAt(58);
    String spareBits = value.substring(0, 58) + (char) (last + 1) + "=";
    assertThat(Base64.getDecoder().decode(spareBits)).isEqualTo(Base64.getDecoder().decode(value));
    for (String other :
        new String[] {
          spareBits, value + "\n", " " + value, value.substring(0, 59), value + "=", value.replace("=", "A"),
          value.substring(0, 30) + "\n" + value.substring(31), value.substring(0, 30) + "-_" + value.substring(32),
          value.substring(0, 59) + "é", ""
        }) {
      assertThat(Forgery.reason(Artifact.parse(other))).as(other).isEqualTo(Reason.ARTIFACT_MALFORMED);
    }
  }

  @Test
  void browsersBringItByRedirectAndByPost() {
    URI url = writer.redirect(artifact, LOCATION + "?t=1", Optional.of("a b&c"));
    EdgeRequest redirected = SamlFixtures.followed(url);
    EdgeRequest posted = SamlFixtures.posted(writer.post(artifact, LOCATION, Optional.empty()));

    assertThat(SamlReader.isArtifact(redirected)).isTrue();
    assertThat(SamlReader.kind(redirected)).isEmpty();
    assertThat(reader.artifact(redirected))
        .isEqualTo(new Result.Accepted<>(new ReceivedArtifact(artifact, Optional.of("a b&c"))));
    assertThat(reader.artifact(posted))
        .isEqualTo(new Result.Accepted<>(new ReceivedArtifact(artifact, Optional.empty())));
  }

  @Test
  void refusesWhatStandsBesideIt() {
    String value = "SAMLart=" + artifact.value().replace("+", "%2B").replace("/", "%2F").replace("=", "%3D");

    assertThat(reason(value)).isEmpty();
    assertThat(reason("")).contains(Reason.NO_MESSAGE);
    assertThat(reason("SAMLart=")).contains(Reason.NO_MESSAGE);
    assertThat(reason(value + "&SAMLResponse=x")).contains(Reason.NO_MESSAGE);
    assertThat(reason("SAMLRequest=&" + value)).contains(Reason.NO_MESSAGE);
    assertThat(reason(value + "&" + value)).contains(Reason.PARAMETERS_MALFORMED);
    assertThat(reason(value + "&RelayState=a&RelayState=b")).contains(Reason.PARAMETERS_MALFORMED);
    assertThat(reason(value + "&RelayState=" + "x".repeat(1025))).contains(Reason.RELAY_STATE_TOO_LONG);
    assertThat(reason("SAMLart=%FF")).contains(Reason.PARAMETERS_MALFORMED);
  }

  private Optional<Reason> reason(String query) {
    return switch (reader.artifact(SamlFixtures.followed(URI.create(LOCATION + "?" + query)))) {
      case Result.Accepted(var received) -> Optional.empty();
      case Result.Refused(SamlRefusal refusal) -> Optional.of(refusal.reason());
    };
  }
}
