package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reader reads everything that the writer writes: every message, both bindings, both kinds of key. */
class RoundTripTest {

  private final SamlWriter writer = new CanonicalSamlWriter();
  private final SamlReader reader = new StrictSamlReader();
  private final SamlReader.PartnerLookup idp = SamlFixtures.partners(SamlFixtures.idpMetadata());
  private final SamlReader.PartnerLookup sp = SamlFixtures.partners(SamlFixtures.spMetadata(true));

  static Stream<SigningKey> idpKeys() {
    return Stream.of(SamlFixtures.idpKey(), SamlFixtures.idpP256Key());
  }

  @Test
  void authnRequestByRedirect() {
    var request = SamlFixtures.authnRequest("_r1");
    URI url = writer.redirect(request, SamlFixtures.IDP_SSO, Optional.of("a b+c&d=é"), SamlFixtures.spKey());

    var received = accepted(reader.authnRequest(SamlFixtures.followed(url), sp));

    assertThat(received)
        .isEqualTo(new Received<>(request, Binding.REDIRECT, true, Optional.of("a b+c&d=é")));
  }

  @Test
  void authnRequestByPost() {
    var request = fullAuthnRequest(List.of(SamlFixtures.IDP, "https://other.example"));
    EdgeRequest posted =
        SamlFixtures.posted(writer.post(request, SamlFixtures.IDP_SSO, Optional.empty(), SamlFixtures.spKey()));

    var received = accepted(reader.authnRequest(posted, sp));

    assertThat(received).isEqualTo(new Received<>(request, Binding.POST, true, Optional.empty()));
  }

  private static SamlMessage.AuthnRequest fullAuthnRequest(List<String> idpList) {
    var subject =
        new NameId("bob", NameId.UNSPECIFIED, Optional.of(SamlFixtures.IDP), Optional.of(SamlFixtures.SP))
            .withSpProvidedId(Optional.of("robert"));
    return new SamlMessage.AuthnRequest(
        "_r2", "2.1", SamlFixtures.NOW.plusMillis(123), SamlFixtures.SP, Optional.of(SamlFixtures.IDP_SSO),
        new SamlMessage.AuthnRequest.Delivery(Optional.empty(), Optional.of(3), Optional.empty()), Optional.of(7),
        Optional.of(new SamlMessage.NameIdPolicy(Optional.of("urn:f"), Optional.of("q"), false)),
        new SamlMessage.AuthnRequest.Authentication(true, true,
            Optional.of(SamlMessage.RequestedAuthnContext.classes("minimum", List.of("urn:a", "urn:b"))),
            idpList),
        Optional.of(subject));
  }

  @Test
  void locationMayHaveAQueryAlready() {
    URI url = writer.redirect(
        SamlFixtures.authnRequest("_r1"), "https://idp.example/sso?t=1", Optional.empty(), SamlFixtures.spKey());

    assertThat(url.toString()).startsWith("https://idp.example/sso?t=1&SAMLRequest=");
    assertThat(accepted(reader.authnRequest(SamlFixtures.followed(url), sp)).signed()).isTrue();
  }

  /** The query is what {@link URLEncoder} makes of it, with %20 for a space. */
  @ParameterizedTest
  @ValueSource(ints = {0x7f, 0xfff})
  void relayStateOfAnyCharacters(int last) {
    String state = IntStream.rangeClosed(0, last).mapToObj(Character::toString).collect(Collectors.joining()) + "\uD83D\uDE00";
    String ascii = state.substring(0, 0x80);

    for (String each : List.of(state, ascii, ascii.repeat(2), "")) {
      URI url = writer.redirect(SamlFixtures.authnRequest("_r1"), SamlFixtures.IDP_SSO, Optional.of(each), SamlFixtures.spKey());

      String encoded = URLEncoder.encode(each, StandardCharsets.UTF_8).replace("+", "%20");
      assertThat(url.getRawQuery()).contains("&RelayState=" + encoded + "&SigAlg=");
    }
  }

  /** Half of a surrogate pair is no character: it is sent, and signed, as a question mark. */
  @Test
  void relayStateComesBack() {
    for (String state : List.of("a b+c&d=e#f%20~*", "\uD83D\uDE00 é", "\uD83D", "\uDE00x", "x\uD83Dy")) {
      URI url = writer.redirect(SamlFixtures.authnRequest("_r1"), SamlFixtures.IDP_SSO, Optional.of(state), SamlFixtures.spKey());

      var received = accepted(reader.authnRequest(SamlFixtures.followed(url), sp));

      assertThat(received.signed()).isTrue();
      assertThat(received.relayState()).contains(new String(state.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
    }
  }

  @Test
  void aLongMessageByRedirect() {
    var request = fullAuthnRequest(IntStream.range(0, 100).mapToObj(i -> "https://other.example/" + i).toList());
    URI url = writer.redirect(request, SamlFixtures.IDP_SSO, Optional.empty(), SamlFixtures.spKey());

    assertThat(accepted(reader.authnRequest(SamlFixtures.followed(url), sp)))
        .isEqualTo(new Received<>(request, Binding.REDIRECT, true, Optional.empty()));
  }

  @ParameterizedTest
  @EnumSource
  void responseByPost(SamlWriter.Signed signed) {
    idpKeys()
        .forEach(
            key -> {
              var response = SamlFixtures.response(Optional.of("_r1"));
              var form = writer.postResponse(response, SamlFixtures.SP_ACS, Optional.of("/page?a=1"), key, signed);

              var received = accepted(reader.response(SamlFixtures.posted(form), idp));

              boolean responseSigned = signed != SamlWriter.Signed.ASSERTION;
              assertThat(received)
                  .isEqualTo(new ReceivedResponse(response, responseSigned, Binding.POST, Optional.of("/page?a=1")));
            });
  }

  @Test
  void errorResponseIsSignedWhateverIsAskedFor() {
    var response =
        new SamlMessage.Response(
            "_e", SamlFixtures.NOW, SamlFixtures.IDP, Optional.of(SamlFixtures.SP_ACS), Optional.of("_r1"),
            Optional.of(SamlMessage.Response.CONSENT_BEFORE),
            new SamlStatus(SamlStatus.RESPONDER, Optional.of(SamlStatus.NO_PASSIVE), Optional.of("no <session>")),
            List.of());
    var form =
        writer.postResponse(
            response, SamlFixtures.SP_ACS, Optional.empty(), SamlFixtures.idpKey(), SamlWriter.Signed.ASSERTION);

    var received = accepted(reader.response(SamlFixtures.posted(form), idp));

    assertThat(received.response()).isEqualTo(response);
    assertThat(received.responseSigned()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("idpKeys")
  void logoutFromTheIdp(SigningKey key) {
    var request = SamlFixtures.logoutRequest("_l1", SamlFixtures.IDP);
    var response = SamlFixtures.logoutResponse("_l2", SamlFixtures.IDP, "_l1");

    URI asked = writer.redirect(request, SamlFixtures.SP_SLO, Optional.empty(), key);
    assertThat(accepted(reader.logoutRequest(SamlFixtures.followed(asked), idp)).message()).isEqualTo(request);
    var askedByPost = writer.post(request, SamlFixtures.SP_SLO, Optional.empty(), key);
    assertThat(accepted(reader.logoutRequest(SamlFixtures.posted(askedByPost), idp)).message()).isEqualTo(request);

    URI answered = writer.redirect(response, SamlFixtures.SP_SLO, Optional.empty(), key);
    assertThat(accepted(reader.logoutResponse(SamlFixtures.followed(answered), idp)).message()).isEqualTo(response);
    var answeredByPost = writer.post(response, SamlFixtures.SP_SLO, Optional.of("x"), key);
    assertThat(accepted(reader.logoutResponse(SamlFixtures.posted(answeredByPost), idp)))
        .isEqualTo(new Received<>(response, Binding.POST, true, Optional.of("x")));
  }

  private static <T> T accepted(Result<T, SamlRefusal> reading) {
    assertThat(reading).isInstanceOf(Result.Accepted.class);
    return ((Result.Accepted<T, SamlRefusal>) reading).value();
  }
}
