package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResponse;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The reader reads everything that the writer puts into SOAP envelopes and artifacts. */
class SoapRoundTripTest {

  private final SamlWriter writer = new CanonicalSamlWriter();
  private final SamlReader reader = new StrictSamlReader();
  private final SamlReader.PartnerLookup idp = SamlFixtures.partners(SamlFixtures.idpMetadata());
  private final SamlReader.PartnerLookup sp = SamlFixtures.partners(SamlFixtures.spMetadata());

  @Test
  void logoutBySoap() {
    var request = SamlFixtures.logoutRequest("_l1", SamlFixtures.SP);
    var response = SamlFixtures.logoutResponse("_l2", SamlFixtures.IDP, "_l1");
    EdgeRequest sent = SamlFixtures.soap(SamlFixtures.IDP_SLO, writer.soap(request, SamlFixtures.spKey()));

    assertThat(SamlReader.isSoap(sent)).isTrue();
    assertThat(SamlReader.kind(sent)).isEmpty();
    assertThat(accepted(reader.logoutRequest(sent, sp)))
        .isEqualTo(new Received<>(request, Binding.SOAP, true, Optional.empty()));
    assertThat(accepted(reader.logoutResponse(writer.soap(response, SamlFixtures.idpKey()), idp)))
        .isEqualTo(new Received<>(response, Binding.SOAP, true, Optional.empty()));
  }

  static Stream<Change> changes() {
    return Stream.of(new Change.NewId("neu & <Größe>"), new Change.Terminate());
  }

  @ParameterizedTest
  @MethodSource("changes")
  void manageNameIdByEveryBinding(Change change) {
    var request = SamlFixtures.manageNameIdRequest("_m1", SamlFixtures.SP, change);
    var response =
        new ManageNameIdResponse(
            "_m2", SamlFixtures.NOW, SamlFixtures.IDP, Optional.empty(), Optional.of("_m1"),
            SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.UNKNOWN_PRINCIPAL));
    SigningKey spKey = SamlFixtures.spKey();
    SigningKey idpKey = SamlFixtures.idpP256Key();
    String to = SamlFixtures.IDP_SLO;

    for (EdgeRequest sent :
        List.of(
            SamlFixtures.followed(writer.redirect(request, to, Optional.empty(), spKey)),
            SamlFixtures.posted(writer.post(request, to, Optional.empty(), spKey)),
            SamlFixtures.soap(to, writer.soap(request, spKey)))) {
      assertThat(accepted(reader.manageNameIdRequest(sent, sp)).message()).isEqualTo(request);
    }
    for (EdgeRequest sent :
        List.of(
            SamlFixtures.followed(writer.redirect(response, to, Optional.empty(), idpKey)),
            SamlFixtures.posted(writer.post(response, to, Optional.empty(), idpKey)))) {
      assertThat(accepted(reader.manageNameIdResponse(sent, idp)).message()).isEqualTo(response);
    }
    assertThat(accepted(reader.manageNameIdResponse(writer.soap(response, idpKey), idp)).message()).isEqualTo(response);
  }

  @Test
  void artifactResolve() {
    var resolve =
        new ArtifactResolve("_a1", SamlFixtures.NOW, SamlFixtures.SP, Optional.of(SamlFixtures.IDP), "AAQAAQ==");
    EdgeRequest sent = SamlFixtures.soap(SamlFixtures.IDP, writer.soap(resolve, SamlFixtures.spKey()));

    assertThat(accepted(reader.artifactResolve(sent, sp)).message()).isEqualTo(resolve);
  }

  @ParameterizedTest
  @EnumSource
  void artifactResponseAroundASignedResponse(SamlWriter.Signed signed) {
    var response = SamlFixtures.response(Optional.of("_r1"));
    var carried = writer.write(response, SamlFixtures.idpP256Key(), signed);
    byte[] envelope = writer.soap(artifactResponse(SamlFixtures.IDP), Optional.of(carried), SamlFixtures.idpKey());

    assertThat(accepted(reader.artifactResponse(envelope, idp)))
        .isEqualTo(new ReceivedArtifactResponse(artifactResponse(SamlFixtures.IDP), Optional.of(response)));
  }

  @Test
  void artifactResponseAroundEveryMessage() {
    for (SamlMessage message :
        List.of(
            SamlFixtures.authnRequest("_r1"),
            SamlFixtures.logoutRequest("_l1", SamlFixtures.SP),
            SamlFixtures.logoutResponse("_l2", SamlFixtures.SP, "_l1"),
            SamlFixtures.manageNameIdRequest("_m1", SamlFixtures.SP, new Change.Terminate()))) {
      byte[] envelope =
          writer.soap(
              artifactResponse(SamlFixtures.SP), Optional.of(writer.write(message)), SamlFixtures.spKey());

      assertThat(accepted(reader.artifactResponse(envelope, sp)).message()).contains(message);
    }
  }

  @Test
  void artifactResponseAroundNothing() {
    byte[] envelope = writer.soap(artifactResponse(SamlFixtures.IDP), Optional.empty(), SamlFixtures.idpKey());

    assertThat(accepted(reader.artifactResponse(envelope, idp)).message()).isEmpty();
  }

  @Test
  void declarationReferencesAndTheAttributeIndexAreRead() {
    var asked = new SamlMessage.RequestedAuthnContext("exact", List.of(), List.of("urn:decl"));
    var message = withContext(asked);
    EdgeRequest sent =
        SamlFixtures.posted(writer.post(message, SamlFixtures.IDP_SSO, Optional.empty(), SamlFixtures.spKey()));

    assertThat(accepted(reader.authnRequest(sent, sp)).message().authentication().requestedAuthnContext()).contains(asked);
  }

  private static SamlMessage.AuthnRequest withContext(SamlMessage.RequestedAuthnContext context) {
    var r = SamlFixtures.authnRequest("_r1");
    return new SamlMessage.AuthnRequest(
        r.id(), SamlMessage.VERSION, r.issueInstant(), r.issuer(), r.destination(),
        new SamlMessage.AuthnRequest.Delivery(r.delivery().assertionConsumerServiceUrl(), r.delivery().assertionConsumerServiceIndex(),
            r.delivery().protocolBinding()),
        Optional.of(65535), r.nameIdPolicy(), new SamlMessage.AuthnRequest.Authentication(false, false, Optional.of(context), List.of()),
        r.subject());
  }

  private static ArtifactResponse artifactResponse(String issuer) {
    return new ArtifactResponse(
        "_a2", SamlFixtures.NOW, issuer, Optional.empty(), Optional.of("_a1"), SamlStatus.success());
  }

  private static <T> T accepted(Result<T, SamlRefusal> reading) {
    if (reading instanceof Result.Refused(var refusal)) {
      throw new AssertionError(refusal);
    }
    return ((Result.Accepted<T, SamlRefusal>) reading).value();
  }
}
