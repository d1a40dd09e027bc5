package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.backchannel.ArtifactResolution;
import dev.gatehouse.common.backchannel.ArtifactMap;
import dev.gatehouse.common.backchannel.PartnerServer;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.saml.metadata.UiInfo;
import dev.gatehouse.common.store.MemoryStores;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** AuthnRequests as artifacts: they are fetched from the service provider's server. */
final class ArtifactRequestTest {

  private static final int INDEX = 2;

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();
  private final PartnerServer server = new PartnerServer();
  private final SamlWriter writer = new CanonicalSamlWriter();
  private final ArtifactMap held =
      new ArtifactMap(new MemoryStores(idp.time), "sp", idp.time, new SecureRandom());

  ArtifactRequestTest() throws IOException {
    idp.partners.put(
        Idp.config(Idp.APP, NameIdFormat.TRANSIENT),
        TestSp.metadata(
            Idp.APP,
            true,
            List.of(),
            List.of(new IndexedEndpoint(INDEX, true, Binding.SOAP, server.url("/artifact"))),
            UiInfo.none()));
    serve(SamlFixtures.spKey());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aRequestThatComesAsAnArtifactIsAnswered() {
    signIn();
    AuthnRequest request = idp.authnRequest(Idp.APP);
    ReceivedResponse received = Idp.response(browser.get(address(hold(request))));
    assertThat(received.response().inResponseTo()).contains(request.id());
    assertThat(received.relayState()).contains("a b");
  }

  @Test
  void aRequestMayComeWithoutDestinationButNotWithAnother() {
    signIn();
    AuthnRequest plain = idp.authnRequest(Idp.APP);
    AuthnRequest without = Requests.addressed(plain, Optional.empty(), plain.issueInstant());
    assertThat(Idp.response(browser.get(address(hold(without)))).assertions()).hasSize(1);
    AuthnRequest other = idp.authnRequest(Idp.APP);
    refused(
        hold(Requests.addressed(other, Optional.of("https://other.example/sso"), other.issueInstant())),
        "DESTINATION");
  }

  @Test
  void anArtifactPostedFromElsewhereIsResolvedAndItsRequestSaved() {
    signIn();
    Artifact artifact = hold(idp.authnRequest(Idp.APP));
    EdgeReply saved =
        browser.postFromElsewhere(
            "/realms/demo/saml/sso", Map.of("SAMLart", artifact.value(), "RelayState", "state"));
    assertThat(saved.status()).isEqualTo(303);
    assertThat(Idp.response(browser.follow(saved)).relayState()).contains("state");
  }

  @Test
  void bothMessagesMayBeArtifacts() {
    signIn();
    AuthnRequest request = Requests.binding(idp.authnRequest(Idp.APP), Binding.ARTIFACT.uri());
    EdgeReply reply = browser.get(address(hold(request)));
    assertThat(TestSp.fetch(idp, Idp.APP, reply).inResponseTo()).contains(request.id());
  }

  @Test
  void case10AnArtifactIsTakenOnce() {
    signIn();
    Artifact artifact = hold(idp.authnRequest(Idp.APP));
    Idp.response(browser.get(address(artifact)));
    refused(artifact, "REPLAYED");
    assertThat(server.seen()).as("nobody is asked a second time").hasSize(1);
  }

  @Test
  void anAnswerThatThePartnerDidNotSignCountsForNothing() {
    serve(SamlFixtures.strangerKey());
    refused(hold(idp.authnRequest(Idp.APP)), "SIGNATURE_INVALID");
  }

  @Test
  void anArtifactForAnotherMessageIsRefused() {
    SamlMessage logout = SamlFixtures.logoutRequest("_l1", Idp.APP);
    refused(hold(logout), "UNEXPECTED_MESSAGE");
  }

  @Test
  void aRequestOfAnotherIssuerIsRefused() {
    refused(hold(idp.authnRequest(Idp.WIKI)), "ISSUER_MISMATCH");
  }

  @Test
  void aPartnerThatFailsGivesAnHonestPage() {
    server.answers(request -> EdgeReply.of(503, "text/html", "<h1>words of theirs</h1>"));
    EdgeReply reply = browser.get(address(hold(idp.authnRequest(Idp.APP))));
    assertThat(reply.status()).isEqualTo(502);
    assertThat(reply.text()).contains("does not answer", "Reference").doesNotContain("words of theirs");
    assertThat(reasons()).containsExactly("BACK_CHANNEL_FAILED");
  }

  @Test
  void artifactsOfNobodyAreRefusedWithoutACall() {
    Artifact stranger = Artifact.create(INDEX, "https://evil.example", new SecureRandom());
    refused(stranger, "ARTIFACT_SOURCE_UNKNOWN");
    refused(Artifact.create(INDEX + 1, Idp.APP, new SecureRandom()), "ARTIFACT_ENDPOINT_UNKNOWN");
    assertThat(browser.get(Idp.SSO + "?SAMLart=x").status()).isEqualTo(400);
    assertThat(browser.get(Idp.SSO + "?SAMLart=x&SAMLRequest=y").status()).isEqualTo(400);
    assertThat(server.seen()).isEmpty();
  }

  private Artifact hold(SamlMessage message) {
    return held.hold(Idp.APP, INDEX, Idp.ENTITY, writer.write(message));
  }

  /** The partner's ArtifactResolutionService, which signs with this key. */
  private void serve(SigningKey key) {
    ArtifactResolution resolution =
        new ArtifactResolution(new StrictSamlReader(), writer, held, idp.time, new SecureRandom());
    ArtifactResolution.As self = new ArtifactResolution.As(Idp.APP, server.url("/artifact"), key);
    server.answers(request -> resolution.answer(request, self, SamlFixtures.partners(Idp.ownMetadata())).reply());
  }

  private static String address(Artifact artifact) {
    return Idp.SSO
        + "?RelayState=a%20b&SAMLart="
        + URLEncoder.encode(artifact.value(), StandardCharsets.UTF_8);
  }

  private void refused(Artifact artifact, String reason) {
    idp.audit.clear();
    EdgeReply reply = browser.get(address(artifact));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.text()).doesNotContain("SAMLResponse");
    assertThat(reasons()).containsExactly(reason);
  }

  private List<String> reasons() {
    return idp.audit.events(AuditEvent.MessageRefused.class).stream()
        .map(AuditEvent.MessageRefused::reason)
        .toList();
  }

  private void signIn() {
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
  }
}
