package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.realm.PartnerConfig.RequestBinding;
import dev.gatehouse.common.realm.PartnerConfig.ResponseBinding;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.ReceivedArtifactResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The artifact binding at the service provider (SAML Bindings 3.6), in both directions. */
final class ArtifactTest {

  private static final String ENDPOINT = SpWorld.HOME + "/.gatehouse/saml/artifact";

  private final SpWorld world = new SpWorld(ArtifactTest::byArtifact, SpWorld.Delivery.ARTIFACT);
  private final TestBrowser browser = new TestBrowser(world);

  @AfterEach
  void close() {
    world.close();
  }

  private static TestRealms.Change byArtifact(TestRealms.Change change) {
    PartnerConfig plain = TestRealms.partner(SamlFixtures.IDP, SamlFixtures.IDP, Map.of());
    AsIdentityProvider rules = AsIdentityProvider.PLAIN;
    return change
        .partner(
            new PartnerConfig(
                plain.entityId(), plain.displayName(), plain.metadata(), plain.release(), plain.nameId(),
                plain.logout(), plain.asServiceProvider(),
                new AsIdentityProvider(
                    RequestBinding.ARTIFACT, ResponseBinding.ARTIFACT, rules.requestNameId(), rules.link(),
                    rules.scopes(), rules.accept()), false))
        .sp(ArtifactTest::onTwoNodes);
  }

  private static SpConfig onTwoNodes(SpConfig sp) {
    return new SpConfig(
        sp.publicUrl(), sp.otherOrigins(), sp.identityProviders(), sp.unsolicited(), sp.session(), sp.subject(),
        sp.requestedAttributes(), List.of(URI.create("https://one.example"), URI.create("https://two.example")));
  }

  // --- Responses ---

  /** The redirect that the identity provider answers with. */
  private EdgeReply come(TestBrowser with, Artifact artifact, String relayState, String site) {
    return with.get(
        SamlFixtures.SP_ACS + "?SAMLart=" + encode(artifact.value()) + "&RelayState=" + encode(relayState), site);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private Artifact held(AuthnRequest request) {
    return world.artifacts().hold(world.response(request), SamlFixtures.idpKey(), SamlWriter.Signed.ASSERTION);
  }

  @Test
  void theAnswerIsAskedForByArtifactAndComesByRedirect() {
    AuthnRequest request = request();
    assertThat(request.delivery().protocolBinding()).contains(Binding.ARTIFACT.uri());
    assertThat(request.delivery().assertionConsumerServiceUrl()).contains(SamlFixtures.SP_ACS);

    EdgeReply landed = come(browser, held(request), request.id(), "cross-site");

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/here");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  /** The AuthnRequest of a new login, by any binding. */
  private AuthnRequest request() {
    return world.authnRequest(browser.open(SpWorld.HOME + "/here"));
  }

  @Test
  void whereTheProviderResolvesNoArtifactsTheAnswerIsAskedForByPost() {
    world.identityProvider(SamlFixtures.idpMetadata());

    assertThat(request().delivery().protocolBinding()).contains(Binding.POST.uri());
  }

  @Test
  void case10AnArtifactIsResolvedOnceAndNotEvenAskedForAgain() {
    AuthnRequest request = request();
    Artifact artifact = held(request);
    come(browser, artifact, request.id(), "cross-site");

    EdgeReply again = come(browser, artifact, request.id(), "cross-site");

    assertThat(again.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.REPLAYED.name());
    assertThat(world.artifacts().asked()).isEqualTo(1);
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void case11AnArtifactForAnotherBrowserOpensNothing() {
    AuthnRequest request = request();
    TestBrowser other = new TestBrowser(world, "198.51.100.66");
    other.open(SpWorld.HOME + "/");

    EdgeReply reply = come(other, held(request), request.id(), "cross-site");

    assertThat(reply.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.OTHER_BROWSER.name());
    assertThat(world.opened()).isZero();
  }

  @Test
  void aProviderThatIsNotReachedLeavesAPageThatAllowsToTryAgain() {
    AuthnRequest request = request();
    world.artifacts().answers(asked -> EdgeReply.of(500, "text/plain", "no"));

    EdgeReply page = come(browser, held(request), request.id(), "cross-site");

    assertThat(page.status()).isEqualTo(403);
    assertThat(page.text()).contains("Your sign-on did not reach us", "/.gatehouse/login?again=" + request.id());
    assertThat(world.refusals()).containsExactly(Reason.BACK_CHANNEL_FAILED.name());
  }

  @Test
  void anArtifactOfNothingLeavesAPageToo() {
    Artifact invented = Artifact.create(7, SamlFixtures.IDP, new java.security.SecureRandom());

    EdgeReply page = come(browser, invented, "no request", "cross-site");

    assertThat(page.text()).contains("Your sign-on did not reach us").doesNotContain("again=");
    assertThat(world.refusals()).containsExactly(Reason.ARTIFACT_UNRESOLVED.name());
  }

  @Test
  void anArtifactOfSomebodyElseIsNotAskedFor() {
    come(browser, Artifact.create(7, "https://evil.example", new java.security.SecureRandom()), "x", "cross-site");
    come(browser, Artifact.create(8, SamlFixtures.IDP, new java.security.SecureRandom()), "x", "cross-site");
    browser.get(SamlFixtures.SP_ACS + "?SAMLart=AAQ", "cross-site");

    assertThat(world.refusals())
        .containsExactly(
            Reason.ARTIFACT_SOURCE_UNKNOWN.name(), Reason.ARTIFACT_ENDPOINT_UNKNOWN.name(),
            Reason.ARTIFACT_MALFORMED.name());
    assertThat(world.artifacts().asked()).isZero();
  }

  @Test
  void anotherStatusByArtifactHasItsPage() {
    Response refused =
        Change.status(
            Change.with(world.response(request())), SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.AUTHN_FAILED));
    Artifact artifact =
        world.artifacts().hold(refused, SamlFixtures.idpKey(), SamlWriter.Signed.RESPONSE);

    assertThat(come(browser, artifact, "", "cross-site").text()).contains("You could not be signed in");
    assertThat(world.refusals()).containsExactly(Reason.STATUS_NOT_SUCCESS.name());
  }

  // --- AuthnRequests ---

  /** An identity provider that receives AuthnRequests by artifact. */
  private Artifact sent() {
    PartnerMetadata plain = SamlFixtures.idpMetadata();
    IdpRole role = plain.idp().orElseThrow();
    world.identityProvider(
        new PartnerMetadata(
            plain.entityId(), Optional.empty(), Optional.empty(), plain.displayName(),
            Optional.of(
                new IdpRole(
                    role.signing(), false,
                    List.of(new Endpoint(Binding.ARTIFACT, SamlFixtures.IDP_SSO, Optional.empty())), List.of(),
                    List.of())),
            Optional.empty()));
    URI location = SpWorld.location(browser.open(SpWorld.HOME + "/here"));
    assertThat(location.toString()).startsWith(SamlFixtures.IDP_SSO + "?");
    Parameters query = Parameters.parse(location.getRawQuery());
    assertThat(query.one("RelayState")).isPresent();
    assertThat(query.one("SAMLRequest")).isEmpty();
    return ((Result.Accepted<Artifact, SamlRefusal>) Artifact.parse(query.one("SAMLart").orElseThrow())).value();
  }

  private EdgeReply resolve(Artifact artifact, String endpoint, SigningKey key) {
    ArtifactResolve resolve =
        new ArtifactResolve(
            "_resolve", world.time.instant(), SamlFixtures.IDP, Optional.of("https://two.example/.gatehouse/saml/artifact"),
            artifact.value());
    URI url = URI.create(endpoint);
    return world.serve(
        new EdgeRequest(
            "POST", Origin.of(url), url.getPath(), "", Headers.of("Content-Type", "text/xml; charset=utf-8"),
            world.writer.soap(resolve, key), InetAddress.ofLiteral("192.0.2.77")));
  }

  private Optional<AuthnRequest> carried(EdgeReply reply) {
    assertThat(reply.status()).isEqualTo(200);
    Result<ReceivedArtifactResponse, SamlRefusal> reading =
        world.reader.artifactResponse(reply.body(), SamlFixtures.partners(SamlFixtures.spMetadata(true)));
    return ((Result.Accepted<ReceivedArtifactResponse, SamlRefusal>) reading).value().message().map(AuthnRequest.class::cast);
  }

  @Test
  void anAuthnRequestIsGivenToTheProviderThatWasAskedOnce() {
    Artifact artifact = sent();
    assertThat(artifact.endpointIndex()).isEqualTo(SpWorld.NODE);
    assertThat(artifact.sourceId()).isEqualTo(Artifact.sourceId(SamlFixtures.SP));

    EdgeReply reply = resolve(artifact, "https://two.example/.gatehouse/saml/artifact", SamlFixtures.idpKey());

    assertThat(carried(reply))
        .hasValueSatisfying(request -> assertThat(request.destination()).contains(SamlFixtures.IDP_SSO));
    assertThat(carried(resolve(artifact, ENDPOINT, SamlFixtures.idpKey()))).as("used up").isEmpty();
    assertThat(world.refusals()).containsExactly(Reason.REPLAYED.name());
  }

  @Test
  void whoCannotSignGetsNothing() {
    Artifact artifact = sent();

    EdgeReply reply = resolve(artifact, ENDPOINT, SamlFixtures.strangerKey());

    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text()).doesNotContain("AuthnRequest");
    assertThat(world.refusals()).containsExactly(Reason.SIGNATURE_INVALID.name());
    assertThat(carried(resolve(artifact, ENDPOINT, SamlFixtures.idpKey()))).as("still there").isPresent();
  }

  @Test
  void aNodesOwnOriginIsForArtifactsAlone() {
    assertThat(browser.open("https://two.example/.gatehouse/login").status()).isEqualTo(404);
    assertThat(browser.open("https://two.example/.gatehouse/saml/artifact").status()).isEqualTo(405);
    assertThat(browser.open(SpWorld.OTHER + "/.gatehouse/saml/artifact").status()).isEqualTo(404);
  }
}
