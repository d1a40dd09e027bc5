package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.AdminResource.AuthorizationView;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.idp.TokenWorld.Answer;
import dev.gatehouse.idp.admin.AuthorizationsResource;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.client.CertificateProofs;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.TestClients;
import dev.gatehouse.idp.oauth.proof.DpopProofCheck;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.oauth.token.PresentedTokens;
import java.net.URI;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Introspection, revocation and tokeninfo; cases 33 and 34 of the attackers' list. */
final class ShownTokenTest {

  private static final String API = "https://api.example";
  private static final String INACTIVE = "{\"active\":false}";
  private static final String UNKNOWN = "invalid_token: The token is unknown, has expired or was revoked";

  private final TokenWorld world =
      new TokenWorld(
          TestClient.web("jwt").resources(API),
          TestClient.web("opaque").opaque().resources(API),
          TestClient.web("other").resources(API),
          TestClient.web("page").withoutSecret(),
          TestClient.web("api").grants().resources(API),
          TestClient.web(API).grants());

  private Answer tokensFor(String client) {
    return world.redeem(client, world.code(world.agreed(client, Optional.empty(), List.of(API), "read")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jwt", "opaque"})
  void itsClientAndItsResourceServersLearnWhatATokenMeans(String client) {
    String token = tokensFor(client).text("access_token");
    for (String asking : List.of(client, "api", API)) {
      Answer told = world.introspect(asking, token);
      assertThat(told.status()).isEqualTo(200);
      assertThat(told.header("Cache-Control")).contains("no-store");
      assertThat(told.json().path("active").asBoolean()).isTrue();
      assertThat(told.text("token_type")).isEqualTo("Bearer");
      assertThat(told.text("scope")).isEqualTo("read");
      assertThat(told.text("aud")).isEqualTo(API);
      assertThat(told.text("iss")).isEqualTo(TokenWorld.ISSUER);
      assertThat(told.json().path("exp").asLong()).isEqualTo(world.time.instant().getEpochSecond() + 300);
    }
  }

  /** Including one that may get tokens for the same resource. */
  @ParameterizedTest
  @ValueSource(strings = {"jwt", "opaque"})
  void toAnotherClientItIsNone(String client) {
    Answer tokens = tokensFor(client);
    assertThat(world.introspect("other", tokens.text("access_token")).reply().text()).isEqualTo(INACTIVE);
    assertThat(world.introspect("other", tokens.text("refresh_token")).reply().text()).isEqualTo(INACTIVE);
    assertThat(world.introspect("api", tokens.text("refresh_token")).reply().text()).isEqualTo(INACTIVE);
    assertThat(world.isActive(client, tokens.text("refresh_token"))).isTrue();
  }

  @Test
  void whoDoesNotProveWhoTheyAreLearnsNothing() {
    String token = tokensFor("jwt").text("access_token");
    assertThat(world.postPublic("oauth/introspect", TokenWorld.form("token", token)).status()).isEqualTo(401);
    Answer asPublic = world.postPublic("oauth/introspect", TokenWorld.form("token", token, "client_id", "page"));
    assertThat(asPublic.error()).isEqualTo("invalid_client: Only a client that proves who it is may ask");
    assertThat(world.post("oauth/introspect", "jwt", Map.of()).error())
        .isEqualTo("invalid_request: The parameter token is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jwt", "opaque"})
  void anExpiredTokenIsNone(String client) {
    String token = tokensFor(client).text("access_token");
    assertThat(world.isActive(client, token)).isTrue();
    world.time.advance(Duration.ofSeconds(300));
    assertThat(world.introspect(client, token).reply().text()).isEqualTo(INACTIVE);
    assertThat(world.tokenInfo(token).error()).isEqualTo(UNKNOWN);
  }

  @Test
  void anIdTokenIsNoAccessToken() {
    Answer answer = world.tokens("jwt", "openid");
    assertThat(world.isActive("jwt", answer.text("access_token"))).isTrue();
    assertThat(world.introspect("jwt", answer.text("id_token")).reply().text()).isEqualTo(INACTIVE);
    assertThat(world.tokenInfo(answer.text("id_token")).error()).isEqualTo(UNKNOWN);
  }

  @Test
  void aTokenOfAnotherIssuerIsNone() {
    String token = world.tokens("jwt", "read").text("access_token");
    // The same keys, and another address.
    world.realms.set(
        TestRealms.change(world.realms.find("demo").orElseThrow())
            .idp(
                idp ->
                    new IdpConfig(
                        URI.create("https://moved.example"), idp.directLogin(), idp.unsolicited(), idp.session(),
                        idp.throttle(), idp.assertionLife(), idp.contracts(), idp.artifactNodes(), idp.oauth(), false))
            .realm());
    assertThat(world.introspect("jwt", token).reply().text()).isEqualTo(INACTIVE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "2YotnFZFEjr1zCsicMWpAA", "ä"})
  void whatIsNoTokenIsNone(String token) {
    assertThat(world.tokenInfo(token).status()).isIn(400, 401);
    if (!token.isEmpty()) {
      assertThat(world.introspect("jwt", token).reply().text()).isEqualTo(INACTIVE);
    }
  }

  @Test
  void aChangedTokenIsNone() {
    String token = world.tokens("jwt", "read").text("access_token");
    assertThat(world.isActive("jwt", token)).isTrue();
    for (int at : List.of(token.indexOf('.') + 5, token.length() - 5)) {
      char other = token.charAt(at) == 'A' ? 'B' : 'A';
      assertThat(world.isActive("jwt", token.substring(0, at) + other + token.substring(at + 1))).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jwt", "opaque"})
  void anAccessTokenIsRevokedAlone(String client) {
    Answer tokens = tokensFor(client);
    Answer again = world.refresh(client, tokens.text("refresh_token"));
    assertThat(revoke(client, tokens.text("access_token")).status()).isEqualTo(200);
    assertThat(world.isActive(client, tokens.text("access_token"))).isFalse();
    assertThat(world.isActive(client, again.text("access_token"))).isTrue();
    assertThat(revoke(client, tokens.text("access_token")).status()).isEqualTo(200);
    assertThat(world.audit.events(AuditEvent.TokenRevoked.class)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jwt", "opaque"})
  void withARefreshTokenAllThatCameOfItIsRevoked(String client) {
    Answer tokens = tokensFor(client);
    Answer again = world.refresh(client, tokens.text("refresh_token"));
    // A used token still identifies its family.
    assertThat(revoke(client, tokens.text("refresh_token")).status()).isEqualTo(200);
    assertThat(world.isActive(client, tokens.text("access_token"))).isFalse();
    assertThat(world.isActive(client, again.text("access_token"))).isFalse();
    assertThat(world.refresh(client, again.text("refresh_token")).error())
        .isEqualTo("invalid_grant: The authorization has ended");
    assertThat(world.audit.events(AuditEvent.AuthorizationEnded.class))
        .extracting(AuditEvent.AuthorizationEnded::cause)
        .containsExactly("revoked");
  }

  private Answer revoke(String client, String token) {
    return world.post("oauth/revoke", client, TokenWorld.form("token", token));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jwt", "opaque"})
  void anotherClientRevokesNothing(String client) {
    Answer tokens = tokensFor(client);
    String expected = "unauthorized_client: The token is another client's";
    assertThat(revoke("other", tokens.text("access_token")).error()).isEqualTo(expected);
    assertThat(revoke("other", tokens.text("refresh_token")).error()).isEqualTo(expected);
    assertThat(world.isActive(client, tokens.text("access_token"))).isTrue();
    assertThat(world.refresh(client, tokens.text("refresh_token")).status()).isEqualTo(200);
  }

  @Test
  void whatIsNoTokenIsRevokedAlready() {
    assertThat(revoke("jwt", "45ghiukldjahdnhzdauz").status()).isEqualTo(200);
    assertThat(revoke("jwt", "").error()).isEqualTo("invalid_request: The parameter token is missing");
    assertThat(world.postPublic("oauth/revoke", TokenWorld.form("token", "x")).status()).isEqualTo(401);
  }

  @Test
  void aPublicClientRevokesItsOwn() {
    Answer tokens =
        world.postPublic(
            "oauth/token",
            TokenWorld.form(
                "grant_type", "authorization_code", "client_id", "page", "code", world.code(world.agreed("page", "read")),
                "redirect_uri", TokenWorld.CALLBACK, "code_verifier", TokenWorld.VERIFIER));
    Answer answer =
        world.postPublic(
            "oauth/revoke", TokenWorld.form("client_id", "page", "token", tokens.text("refresh_token")));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(world.tokenInfo(tokens.text("access_token")).error()).isEqualTo(UNKNOWN);
  }

  @Test
  void tokenInfoAsOfOld() {
    Answer tokens = tokensFor("jwt");
    Answer told = world.tokenInfo(tokens.text("access_token"));
    assertThat(told.reply().text())
        .isEqualTo(
            "{\"user_id\":\""
                + TokenWorld.claims(tokens.text("access_token")).path("sub").asString()
                + "\",\"expires_in\":300,\"scope\":[\"read\"],\"audience\":\"https://api.example\",\"client_id\":\"jwt\"}");
    Answer posted =
        world.postPublic("oauth/tokeninfo", TokenWorld.form("access_token", tokens.text("access_token")));
    assertThat(posted.reply().text()).isEqualTo(told.reply().text());
  }

  @Test
  void tokenInfoTakesOneTokenAndNeverFromTheQuery() {
    String token = tokensFor("jwt").text("access_token");
    Answer both =
        world.send(
            "POST", "oauth/tokeninfo", Map.of("Authorization", "Bearer " + token),
            TestBrowser.encode(Map.of("access_token", token)));
    assertThat(both.error()).isEqualTo("invalid_request: There is more than one access token");
    assertThat(world.send("GET", "oauth/tokeninfo", Map.of(), "").error())
        .isEqualTo("invalid_request: There is no access token");
    Answer wrong = world.tokenInfo("nothing");
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.header("WWW-Authenticate")).contains("Bearer realm=\"demo\", error=\"invalid_token\"");
  }

  @Test
  void aBoundTokenIsNothingWithoutItsKey() {
    TestKey key = TestKey.p256("key");
    Answer tokens =
        world.send(
            "POST", "oauth/token", world.proved(TokenWorld.basic("jwt"), key, "POST", "oauth/token", ""),
            TestBrowser.encode(
                TokenWorld.form(
                    "grant_type", "authorization_code", "code", world.code(world.agreed("jwt", "read")), "redirect_uri",
                    TokenWorld.CALLBACK, "code_verifier", TokenWorld.VERIFIER)));
    String token = tokens.text("access_token");
    assertThat(world.tokenInfo(token).error())
        .isEqualTo("invalid_token: The token is bound by DPoP and was sent as Bearer");
    Map<String, String> bare = Map.of("Authorization", "DPoP " + token);
    assertThat(world.send("GET", "oauth/tokeninfo", bare, "").error())
        .isEqualTo("invalid_token: The token is bound to a key that was not proved");
    Map<String, String> stranger = world.proved(bare, TestKey.p256("stranger"), "GET", "oauth/tokeninfo", token);
    assertThat(world.send("GET", "oauth/tokeninfo", stranger, "").error())
        .isEqualTo("invalid_token: The token is bound to a key that was not proved");
    Map<String, String> own = world.proved(bare, key, "GET", "oauth/tokeninfo", token);
    assertThat(world.send("GET", "oauth/tokeninfo", own, "").status()).isEqualTo(200);
    // The same proof once more.
    assertThat(world.send("GET", "oauth/tokeninfo", own, "").text("error")).isEqualTo("invalid_dpop_proof");
  }

  @Test
  void aTokenThatIsNotBoundDoesNotComeAsIfItWere() {
    String token = tokensFor("jwt").text("access_token");
    assertThat(world.send("GET", "oauth/tokeninfo", Map.of("Authorization", "DPoP " + token), "").error())
        .isEqualTo("invalid_token: The token is not bound by DPoP");
  }

  /** RFC 8705, section 3. */
  @Test
  void aTokenBoundToACertificateNeedsIt() {
    X509Certificate own = SamlFixtures.spKey().certificate();
    String token =
        world
            .accessTokenIssuer
            .issueToClient(
                world.request(), new Client(TestClient.web("opaque").config(), false), Set.of("read"), List.of(),
                Optional.of(new Confirmation.Certificate(CertificateProofs.thumbprint(own))))
            .value();
    assertThat(shownWith(token, List.of(own))).isEqualTo("passed");
    String expected = "invalid_token: The token is bound to a certificate that was not presented";
    assertThat(shownWith(token, List.of())).isEqualTo(expected);
    // The issuer's certificate, or another one that was sent along: only the key of the first certificate was proved.
    assertThat(shownWith(token, List.of(SamlFixtures.strangerKey().certificate(), own))).isEqualTo(expected);
  }

  private String shownWith(String token, List<X509Certificate> certificates) {
    RealmRequest plain = world.request();
    EdgeRequest http =
        new EdgeRequest(
            "GET", plain.http().origin(), plain.http().path(), "", Headers.of("Authorization", "Bearer " + token),
            new byte[0], plain.http().client());
    PresentedTokens shown =
        new PresentedTokens(
            world.accessTokens,
            new DpopProofCheck(
                new MemoryStores(world.time).replayCache(), SealingKey.inMemory(new SecureRandom()), world.time));
    RealmRequest request = new RealmRequest(plain.realm(), plain.idp(), http, certificates);
    return TestClients.refusal(shown.find(request, "oauth/userinfo"));
  }

  @Test
  void whoEndsAnAuthorizationEndsItsTokens() {
    Authorization agreed = world.agreed("opaque", "read");
    Answer tokens = world.redeem("opaque", world.code(agreed));
    assertThat(world.authorizations.ofPerson("demo", FakeDirectory.ALICE.id())).hasSize(1);
    world.authorizations.endOfClient(
        world.request().context(), "demo", FakeDirectory.ALICE.id(), "opaque",
        Authorizations.End.ACCOUNT);
    assertThat(world.isActive("opaque", tokens.text("access_token"))).isFalse();
    assertThat(world.authorizations.ofPerson("demo", FakeDirectory.ALICE.id())).isEmpty();
  }

  @Test
  void anAdministratorFindsAnAuthorizationAndEndsIt() {
    AuthorizationsResource admin = new AuthorizationsResource(world.authorizations);
    Answer tokens = world.redeem("opaque", world.code(world.agreed("opaque", "read")));
    assertThat(admin.page("demo", "", 10)).hasSize(1);
    assertThat(admin.page("other", "", 10)).isEmpty();
    assertThat(admin.ofPerson("demo", FakeDirectory.ALICE.id().value())).isEqualTo(admin.page("demo", "", 10));
    AuthorizationView found = admin.ofPerson("demo", FakeDirectory.ALICE.name()).getFirst();
    assertThat(found.clientId()).isEqualTo("opaque");
    assertThat(found.scopes()).containsExactly("read");
    assertThat(found.toString()).doesNotContain(tokens.text("access_token"));
    assertThat(admin.find("demo", found.id())).contains(found);
    assertThat(admin.find("other", found.id())).isEmpty();
    assertThat(admin.end("other", found.id())).isFalse();
    assertThat(world.isActive("opaque", tokens.text("access_token"))).isTrue();
    assertThat(admin.end("demo", found.id())).isTrue();
    assertThat(world.isActive("opaque", tokens.text("access_token"))).isFalse();
    assertThat(admin.end("demo", found.id())).isFalse();
    assertThat(world.audit.events(AuditEvent.AuthorizationEnded.class).getLast().cause()).isEqualTo("administrator");
  }

  @Test
  void aStepUpLogsNobodyOutOfTheirClients() {
    SessionId session = world.login();
    Answer tokens = world.redeem("jwt", world.code(world.agreed("jwt", Optional.of(session), List.of(), "read")));
    world.raise(session);
    assertThat(world.isActive("jwt", tokens.text("access_token"))).isTrue();
    assertThat(world.refresh("jwt", tokens.text("refresh_token")).status()).isEqualTo(200);
  }
}
