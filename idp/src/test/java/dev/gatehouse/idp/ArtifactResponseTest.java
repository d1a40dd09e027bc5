package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.ReceivedArtifactResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.UiInfo;
import dev.gatehouse.common.space.GuardedStores;
import dev.gatehouse.common.store.MemoryStores;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses as artifacts, from the request to their resolution, and SECURITY-CASE 10 as the identity provider. */
final class ArtifactResponseTest {

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @Test
  void aRequestForTheArtifactBindingIsAnsweredByOne() {
    signIn("alice");
    AuthnRequest request = byArtifact(Idp.APP);
    EdgeReply reply = browser.get(Idp.redirect(request, Optional.of("état &1")));
    assertThat(reply.status()).isEqualTo(303);
    String address = reply.headers().first("Location").orElseThrow();
    assertThat(TestSp.path(address)).isEqualTo(Idp.APP + "/artifact");
    assertThat(TestSp.parameter(address, "RelayState")).isEqualTo("état &1");
    Artifact artifact = TestSp.artifact(TestSp.parameter(address, "SAMLart"));
    assertThat(artifact.endpointIndex()).isZero();
    assertThat(artifact.sourceId()).isEqualTo(Artifact.sourceId(Idp.ENTITY));

    EdgeReply answer =
        TestSp.ask(idp, TestSp.resolve(idp, Idp.APP, artifact.value()), SamlFixtures.spKey());
    assertThat(answer.headers().first("Content-Type").orElse("")).startsWith("text/xml");
    assertThat(answer.headers().first("Cache-Control")).contains("no-cache, no-store");
    Response response = (Response) TestSp.read(answer).message().orElseThrow();
    assertThat(response.inResponseTo()).contains(request.id());
    assertThat(response.destination()).contains(Idp.APP + "/artifact");
    assertThat(response.assertions().getFirst().confirmations().getFirst().recipient())
        .contains(Idp.APP + "/artifact");
    assertThat(response.assertions().getFirst().subject().format()).isEqualTo(NameIdFormat.TRANSIENT.uri());
  }

  @Test
  void theConsumerAloneMaySayThatItIsAnArtifact() {
    signIn("alice");
    AuthnRequest byIndex = Requests.consumer(idp.authnRequest(Idp.APP), Optional.empty(), Optional.of(0));
    assertThat(TestSp.fetch(idp, Idp.APP, browser.get(Idp.redirect(byIndex))).assertions()).hasSize(1);
    AuthnRequest byUrl =
        Requests.consumer(idp.authnRequest(Idp.APP), Optional.of(Idp.APP + "/artifact"), Optional.empty());
    assertThat(TestSp.fetch(idp, Idp.APP, browser.get(Idp.redirect(byUrl))).assertions()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theAssertionIsSignedTooWhereThePartnerKeepsIt(boolean wanted) {
    idp.partners.put(
        Idp.config(Idp.APP, NameIdFormat.TRANSIENT),
        TestSp.metadata(Idp.APP, wanted, List.of(), List.of(), UiInfo.none()));
    signIn("alice");
    String artifact = TestSp.parameter(browser.get(Idp.redirect(byArtifact(Idp.APP))), "SAMLart");
    EdgeReply answer = TestSp.ask(idp, TestSp.resolve(idp, Idp.APP, artifact), SamlFixtures.spKey());
    assertThat(TestSp.read(answer).message()).isPresent();
    int signatures = answer.text().split("<ds:SignatureValue>", -1).length - 1;
    assertThat(signatures).isEqualTo(wanted ? 2 : 1);
  }

  @Test
  void afterALoginTheWayOnIsAPageBecauseBrowsersHoldRedirectsToTheFormsOrigin() {
    EdgeReply form = browser.follow(browser.get(Idp.redirect(byArtifact(Idp.APP), Optional.of("state"))));
    EdgeReply page = browser.follow(browser.login(form, "alice", "demo"));
    assertThat(page.status()).isEqualTo(200);
    String refresh = page.headers().first("Refresh").orElseThrow();
    assertThat(refresh).startsWith("0;url=" + Idp.APP + "/artifact?SAMLart=");
    String address = refresh.substring("0;url=".length());
    assertThat(page.text()).contains("href=\"" + address.replace("&", "&amp;"));
    String artifact = TestSp.parameter(address, "SAMLart");
    EdgeReply answer = TestSp.ask(idp, TestSp.resolve(idp, Idp.APP, artifact), SamlFixtures.spKey());
    assertThat(((Response) TestSp.read(answer).message().orElseThrow()).assertions()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"TRANSIENT,artifact", "PERSISTENT,artifact", "TRANSIENT,artifact-form", "TRANSIENT,post"})
  void aSignOnStartedHereMayChooseTheBinding(NameIdFormat format, String binding) {
    idp.partners.put(Idp.config(Idp.APP, format), Idp.metadata(Idp.APP, false));
    signIn("alice");
    EdgeReply reply = browser.get("/realms/demo/saml/init?sp=" + Idp.APP + "&RelayState=%2Fx&binding=" + binding);
    Response response =
        switch (binding) {
          case "post" -> Idp.response(reply).response();
          case "artifact" -> TestSp.fetch(idp, Idp.APP, reply);
          default -> {
            assertThat(TestBrowser.attribute(reply.text(), "action")).isEqualTo(Idp.APP + "/artifact");
            assertThat(TestBrowser.field(reply.text(), "RelayState")).isEqualTo("/x");
            String artifact = TestBrowser.field(reply.text(), "SAMLart");
            yield (Response)
                TestSp.read(TestSp.ask(idp, TestSp.resolve(idp, Idp.APP, artifact), SamlFixtures.spKey()))
                    .message()
                    .orElseThrow();
          }
        };
    assertThat(response.inResponseTo()).isEmpty();
    assertThat(response.assertions().getFirst().subject().format()).isEqualTo(format.uri());
  }

  @Test
  void aBindingThatDoesNotExistIsRefused() {
    assertThat(browser.get("/realms/demo/saml/init?sp=" + Idp.APP + "&binding=carrier-pigeon").status()).isEqualTo(400);
    assertThat(reasons()).containsExactly("NO_SUCH_BINDING");
  }

  @Test
  void aLongRelayStateTravelsInAForm() {
    signIn("alice");
    String state = "é".repeat(400);
    EdgeReply reply = browser.get(Idp.redirect(byArtifact(Idp.APP), Optional.of(state)));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(TestBrowser.field(reply.text(), "RelayState")).isEqualTo(state);
    TestSp.artifact(TestBrowser.field(reply.text(), "SAMLart"));
  }

  @Test
  void anErrorStatusTravelsAsAnArtifactToo() {
    Response response =
        TestSp.fetch(
            idp, Idp.APP, browser.get(Idp.redirect(Requests.asking(byArtifact(Idp.APP), false, true))));
    assertThat(response.status()).isEqualTo(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_PASSIVE));
    assertThat(response.assertions()).isEmpty();
  }

  @Test
  void whileSpaceIsLowNothingIsStoredWithoutALogin() {
    AtomicBoolean low = new AtomicBoolean();
    TestTime time = new TestTime(SamlFixtures.NOW);
    GuardedStores stores = new GuardedStores(new MemoryStores(time), low::get);
    Idp full = new Idp(time, stores, SealingKey.inMemory(new SecureRandom()), TestRealms.demo());
    TestBrowser alice = full.browser();
    alice.login(alice.get("/realms/demo/login"), "alice", "demo");
    AuthnRequest request = Requests.binding(full.authnRequest(Idp.APP), Binding.ARTIFACT.uri());
    low.set(true);
    EdgeReply refused = full.browser().get(Idp.redirect(Requests.asking(request, false, true)));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.headers().first("Retry-After")).isPresent();
    assertThat(TestSp.fetch(full, Idp.APP, alice.get(Idp.redirect(request))).assertions()).as("alice is in").hasSize(1);
  }

  @Test
  void aPostedRequestIsSavedAndAnsweredByAnArtifact() {
    signIn("alice");
    EdgeReply saved = browser.postFromElsewhere("/realms/demo/saml/sso", Idp.posted(byArtifact(Idp.APP)));
    EdgeReply reply = browser.follow(saved);
    assertThat(TestSp.parameter(reply, "RelayState")).isEqualTo("state");
    assertThat(TestSp.fetch(idp, Idp.APP, reply).assertions()).hasSize(1);
  }

  @Test
  void case10AnArtifactIsResolvedOnce() {
    String artifact = issued();
    assertThat(message(artifact, Idp.APP)).isPresent();
    assertThat(message(artifact, Idp.APP)).isEmpty();
    assertThat(reasons()).containsExactly("REPLAYED");
  }

  @Test
  void case10AnotherPartnerGetsNothingAndTakesNothing() {
    String artifact = issued();
    assertThat(message(artifact, Idp.WIKI)).isEmpty();
    assertThat(idp.audit.events(AuditEvent.MessageRefused.class))
        .extracting(AuditEvent.MessageRefused::partner, AuditEvent.MessageRefused::reason)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(Idp.WIKI, "ARTIFACT_OTHER_PARTNER"));
    assertThat(message(artifact, Idp.APP)).isPresent();
  }

  @Test
  void case10AnArtifactIsHeldForAMinute() {
    String artifact = issued();
    idp.time.advance(Duration.ofSeconds(61));
    assertThat(message(artifact, Idp.APP)).isEmpty();
    assertThat(reasons()).containsExactly("ARTIFACT_UNRESOLVED");
  }

  @Test
  void case10WhoDoesNotSignIsNotAnswered() {
    String artifact = issued();
    String unsigned =
        new String(
                new CanonicalSamlWriter().soap(TestSp.resolve(idp, Idp.APP, artifact), SamlFixtures.spKey()),
                StandardCharsets.UTF_8)
            .replaceAll("(?s)<ds:Signature.*</ds:Signature>", "");
    fault(TestSp.post(idp, unsigned.getBytes(StandardCharsets.UTF_8)), "SIGNATURE_MISSING");
    fault(
        TestSp.ask(idp, TestSp.resolve(idp, Idp.APP, artifact), SamlFixtures.strangerKey()), "SIGNATURE_INVALID");
    fault(
        TestSp.ask(idp, TestSp.resolve(idp, "https://unknown.example", artifact), SamlFixtures.spKey()),
        "PARTNER_UNKNOWN");
    fault(TestSp.post(idp, "<not-soap/>".getBytes(StandardCharsets.UTF_8)), "SOAP_MALFORMED");
    assertThat(message(artifact, Idp.APP)).as("none of it used the artifact up").isPresent();
  }

  @Test
  void case10AnArtifactOfAnotherNodeOrEntityIsNotKnown() {
    Artifact held = TestSp.artifact(issued());
    Artifact otherNode = new Artifact(1, held.sourceId(), held.messageHandle());
    Artifact otherEntity = new Artifact(0, Artifact.sourceId("https://other.example"), held.messageHandle());
    for (String value : List.of(otherNode.value(), otherEntity.value(), "AAQAAA==", "<script>")) {
      assertThat(message(value, Idp.APP)).as(value).isEmpty();
    }
    assertThat(reasons())
        .containsExactly("ARTIFACT_UNRESOLVED", "ARTIFACT_UNRESOLVED", "ARTIFACT_MALFORMED", "ARTIFACT_MALFORMED");
  }

  @Test
  void theServiceTakesPostsAlone() {
    assertThat(browser.get("/realms/demo/saml/artifact").status()).isEqualTo(405);
    browser.address = InetAddress.ofLiteral("192.0.2.8");
    assertThat(browser.post("/realms/demo/saml/artifact", java.util.Map.of("SAMLart", issued())).status())
        .isEqualTo(500);
    assertThat(reasons()).containsExactly("UNEXPECTED_MESSAGE");
  }

  private String issued() {
    if (!browser.cookies.containsKey("gh_idp.demo")) {
      signIn("alice");
    }
    return TestSp.parameter(browser.get(Idp.redirect(byArtifact(Idp.APP))), "SAMLart");
  }

  private Optional<dev.gatehouse.common.saml.message.SamlMessage> message(String artifact, String partner) {
    ReceivedArtifactResponse received =
        TestSp.read(TestSp.ask(idp, TestSp.resolve(idp, partner, artifact), SamlFixtures.spKey()));
    assertThat(received.response().status()).isEqualTo(SamlStatus.success());
    return received.message();
  }

  private void fault(EdgeReply reply, String reason) {
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text()).contains("Fault").doesNotContain("Assertion", reason);
    assertThat(reasons()).last().isEqualTo(reason);
  }

  private List<String> reasons() {
    return idp.audit.events(AuditEvent.MessageRefused.class).stream()
        .map(AuditEvent.MessageRefused::reason)
        .toList();
  }

  private AuthnRequest byArtifact(String issuer) {
    return Requests.binding(idp.authnRequest(issuer), Binding.ARTIFACT.uri());
  }

  private void signIn(String name) {
    browser.login(browser.get("/realms/demo/login"), name, "demo");
  }
}
