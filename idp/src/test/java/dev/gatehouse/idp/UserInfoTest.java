package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.crypto.ECDHDecrypter;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.Encryption;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.TestRealms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The UserInfo endpoint (OpenID Connect Core 5.3) and its ID token (2). */
final class UserInfoTest {

  private static final String PATH = "/realms/demo/oauth/userinfo";

  private final OAuthApp app = new OAuthApp();

  private static Tokens tokens(Optional<Encryption> idToken, Optional<JwsName> userInfo, Optional<Encryption> encrypted) {
    Tokens usual = Tokens.USUAL;
    return new Tokens(
        usual.accessToken(), usual.accessTokenAlgorithm(), usual.accessTokenLife(), usual.refreshTokenLife(),
        usual.refreshGrace(), usual.idTokenAlgorithm(), idToken, userInfo, encrypted, usual.binding());
  }

  private JsonNode logIn(Idp idp, String... changes) {
    return app.exchange(idp, OAuthApp.code(app.ask(OAuthApp.signedIn(idp, "alice"), changes)));
  }

  private static EdgeReply ask(Idp idp, String token) {
    TestBrowser program = idp.browser();
    program.headers = Map.of("Authorization", "Bearer " + token);
    return program.get(PATH);
  }

  private static String accessToken(JsonNode tokens) {
    return tokens.path("access_token").asString();
  }

  private static List<String> reasons(Idp idp) {
    return idp.audit.events(MessageRefused.class).stream().map(MessageRefused::reason).toList();
  }

  private static String challenge(EdgeReply reply) {
    return String.join("; ", reply.headers().all("WWW-Authenticate"));
  }

  @Test
  void tellsWhatTheScopesAskFor() {
    Idp idp = new Idp(OAuthApp.realm(app));
    JsonNode tokens = logIn(idp, "scope", "openid profile email");
    EdgeReply reply = ask(idp, accessToken(tokens));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers().first("Content-Type")).hasValue("application/json");
    assertThat(reply.headers().first("Cache-Control")).hasValue("no-store");
    JsonNode claims = OAuthApp.json(reply);
    assertThat(claims.propertyNames()).containsExactly("sub", "email", "name", "preferred_username");
    assertThat(claims.path("email").asString()).isEqualTo("alice@example.com");
    assertThat(claims.path("sub").asString())
        .isEqualTo(OAuthApp.claims(tokens.path("id_token").asString()).path("sub").asString())
        .isNotEqualTo("a11ce");
  }

  @Test
  void tellsNoMoreThanTheScopesAskFor() {
    Idp idp = new Idp(OAuthApp.realm(app));
    JsonNode claims = OAuthApp.json(ask(idp, accessToken(logIn(idp, "scope", "openid"))));
    assertThat(claims.propertyNames()).containsExactly("sub");
  }

  /** OpenID Connect Core 5.5: claims by name, separately for this endpoint and for the ID token. */
  @Test
  void tellsWhatIsAskedForByName() {
    Idp idp = new Idp(OAuthApp.realm(app));
    JsonNode tokens =
        logIn(
            idp,
            "scope", "openid",
            "claims", "{\"userinfo\":{\"email\":{\"essential\":true}},\"id_token\":{\"name\":null,\"iss\":null}}");
    assertThat(OAuthApp.json(ask(idp, accessToken(tokens))).propertyNames()).containsExactly("sub", "email");
    JsonNode idToken = OAuthApp.claims(tokens.path("id_token").asString());
    assertThat(idToken.path("name").asString()).startsWith("Alice");
    assertThat(idToken.path("iss").asString()).isEqualTo(Idp.ENTITY);
    assertThat(idToken.has("email")).isFalse();
  }

  @Test
  void tellsByNameNothingBeyondTheClientsScopes() {
    Idp idp = new Idp(OAuthApp.realm(app));
    JsonNode tokens =
        logIn(
            idp,
            "scope", "openid",
            "claims", "{\"userinfo\":{\"groups\":{\"essential\":true},\"email\":null},\"id_token\":{\"groups\":null,\"name\":null}}");
    assertThat(OAuthApp.json(ask(idp, accessToken(tokens))).propertyNames()).containsExactly("sub", "email");
    JsonNode idToken = OAuthApp.claims(tokens.path("id_token").asString());
    assertThat(idToken.has("groups")).isFalse();
    assertThat(idToken.has("name")).isTrue();
  }

  @Test
  void whatAClientMayHaveNoLongerIsNotToldByNameEither() {
    Idp idp = new Idp(OAuthApp.realm(app));
    String token = accessToken(logIn(idp, "scope", "openid", "claims", "{\"userinfo\":{\"email\":null,\"name\":null}}"));
    app.scopes = Set.of("openid", "profile");
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.json(ask(idp, token)).propertyNames()).containsExactly("sub", "name");
  }

  @Test
  void theIdTokenSaysWhoAndHowAndWhen() {
    Idp idp = new Idp(OAuthApp.realm(app));
    JsonNode idToken = OAuthApp.claims(logIn(idp).path("id_token").asString());
    assertThat(idToken.propertyNames())
        .containsExactly(
            "iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "nonce", "at_hash", "sid");
    long now = idp.time.instant().getEpochSecond();
    assertThat(idToken.path("exp").asLong()).isEqualTo(now + 300);
    assertThat(idToken.path("iat").asLong()).isEqualTo(now);
    assertThat(idToken.path("auth_time").asLong()).isEqualTo(now);
    assertThat(idToken.path("amr").toString()).isEqualTo("[\"pwd\"]");
  }

  @Test
  void comesByPostInHeaderOrForm() {
    Idp idp = new Idp(OAuthApp.realm(app));
    String token = accessToken(logIn(idp));
    TestBrowser program = idp.browser();
    program.headers = Map.of();
    assertThat(program.post(PATH, Map.of("access_token", token)).status()).isEqualTo(200);
    program.headers = Map.of("Authorization", "Bearer " + token);
    assertThat(program.post(PATH, Map.of()).status()).isEqualTo(200);
    assertThat(program.post(PATH, Map.of("access_token", token)).status()).as("two ways at once").isEqualTo(400);
  }

  /** RFC 6750, section 3: a request without a token gets the challenge; a token in an address does not count. */
  @Test
  void withoutATokenThereIsAChallengeAlone() {
    Idp idp = new Idp(OAuthApp.realm(app));
    EdgeReply reply = idp.browser().get(PATH + "?access_token=" + accessToken(logIn(idp)));
    assertThat(reply.status()).isEqualTo(401);
    assertThat(challenge(reply)).startsWith("Bearer realm=\"demo\"; DPoP realm=\"demo\"").doesNotContain("error");
    assertThat(reply.body()).isEmpty();
  }

  /** SECURITY-CASE 33. */
  @Test
  void anIdTokenIsNoAccessToken() {
    Idp idp = new Idp(OAuthApp.realm(app));
    EdgeReply reply = ask(idp, logIn(idp).path("id_token").asString());
    assertThat(reply.status()).isEqualTo(401);
    assertThat(challenge(reply)).isEqualTo("Bearer realm=\"demo\", error=\"invalid_token\"");
    assertThat(reasons(idp)).containsExactly("INVALID_TOKEN");
  }

  /** SECURITY-CASE 33. */
  @Test
  void aTokenOfAnotherProviderCountsForNothing() {
    Idp other = new Idp(OAuthApp.realm(app));
    Idp idp = new Idp(OAuthApp.realm(app));
    // The same keys, another store: the authorization of the token was never here.
    assertThat(ask(idp, accessToken(logIn(other))).status()).isEqualTo(401);
    assertThat(reasons(idp)).containsExactly("INVALID_TOKEN");
  }

  /** SECURITY-CASE 33. */
  @Test
  void aTokenForAnotherResourceCountsForNothing() {
    Idp idp = new Idp(OAuthApp.realm(app));
    EdgeReply reply = ask(idp, accessToken(logIn(idp, "resource", "https://api.example")));
    assertThat(reply.status()).isEqualTo(401);
    assertThat(reasons(idp)).containsExactly("INVALID_TOKEN");
  }

  @Test
  void aTokenWithoutOpenidIsNotEnough() {
    Idp idp = new Idp(OAuthApp.realm(app));
    EdgeReply reply = ask(idp, accessToken(logIn(idp, "scope", "read")));
    assertThat(reply.status()).isEqualTo(403);
    assertThat(challenge(reply))
        .isEqualTo("Bearer realm=\"demo\", error=\"insufficient_scope\", scope=\"openid\"");
    assertThat(reasons(idp)).containsExactly("INSUFFICIENT_SCOPE");
  }

  @Test
  void aClientsOwnTokenSpeaksOfNobody() {
    app.grants = Set.of(GrantType.CLIENT_CREDENTIALS);
    Idp idp = new Idp(OAuthApp.realm(app));
    JsonNode tokens =
        OAuthApp.json(
            app.server(idp).post("/realms/demo/oauth/token", Map.of("grant_type", "client_credentials", "scope", "read")));
    assertThat(ask(idp, accessToken(tokens)).status()).isEqualTo(403);
  }

  @Test
  void whatChangesInTheDirectoryCountsWithinAMinute() {
    Idp idp = new Idp(OAuthApp.realm(app));
    String token = accessToken(logIn(idp, "scope", "openid email"));
    idp.directory.put(FakeDirectory.person("a11ce", "alice", "Alice", List.of("new@example.com")), "demo");
    assertThat(OAuthApp.json(ask(idp, token)).path("email").asString()).isEqualTo("alice@example.com");
    idp.time.advance(Duration.ofSeconds(31));
    assertThat(OAuthApp.json(ask(idp, token)).path("email").asString()).isEqualTo("new@example.com");
    idp.directory.down = true;
    idp.time.advance(Duration.ofSeconds(31));
    assertThat(ask(idp, token).status()).as("what is known goes on counting").isEqualTo(200);
  }

  @Test
  void whoIsGoneHasNoTokens() {
    Idp idp = new Idp(OAuthApp.realm(app));
    String token = accessToken(logIn(idp));
    idp.directory.remove(FakeDirectory.ALICE);
    idp.time.advance(Duration.ofSeconds(31));
    assertThat(ask(idp, token).status()).isEqualTo(401);
    idp.directory.put(FakeDirectory.ALICE, "demo");
    assertThat(ask(idp, token).status()).as("for good").isEqualTo(401);
  }

  @Test
  void aSectorsSubjectIsItsOwn() {
    Idp idp = new Idp(OAuthApp.realm(app));
    String everybodys = OAuthApp.json(ask(idp, accessToken(logIn(idp)))).path("sub").asString();
    app.subject = new SubjectType.Pairwise("app.example");
    idp.realms.set(OAuthApp.realm(app));
    String pairwise = OAuthApp.json(ask(idp, accessToken(logIn(idp)))).path("sub").asString();
    assertThat(pairwise).isNotEqualTo(everybodys).hasSize(32);
    app.subject = new SubjectType.Pairwise("other.example");
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.json(ask(idp, accessToken(logIn(idp)))).path("sub").asString()).isNotEqualTo(pairwise);
  }

  @Test
  void comesSignedToWhoWantsItSo() {
    app.tokens = tokens(Optional.empty(), Optional.of(JwsName.ES256), Optional.empty());
    Idp idp = new Idp(OAuthApp.realm(app));
    EdgeReply reply = ask(idp, accessToken(logIn(idp)));
    assertThat(reply.headers().first("Content-Type")).hasValue("application/jwt");
    JsonNode claims = OAuthApp.claims(reply.text());
    assertThat(claims.path("iss").asString()).isEqualTo(Idp.ENTITY);
    assertThat(claims.path("aud").asString()).isEqualTo(OAuthApp.ID);
    assertThat(claims.path("sub").asString()).hasSize(32);
  }

  /** The loader refuses such a configuration; the token holds by itself. */
  @Test
  void noAttributeTakesThePlaceOfIssuerAudienceAndSubject() {
    app.tokens = tokens(Optional.empty(), Optional.of(JwsName.ES256), Optional.empty());
    OAuthConfig usual = OAuthConfig.USUAL;
    Map<String, String> sources = Map.of("iss", "mail", "aud", "mail", "sub", "mail");
    OAuthConfig config =
        new OAuthConfig(
            usual.accessTokenLife(), usual.refreshTokenLife(), usual.codeLife(), usual.deviceCodeLife(), usual.pushedLife(),
            usual.registration(), usual.scopes(), sources, usual.certificateUrl(), usual.certificateAuthorities());
    Idp idp = new Idp(OAuthApp.realm(TestRealms.change(TestRealms.demo()).oauth(config).realm(), app));
    String asked = "{\"userinfo\":{\"iss\":null,\"aud\":null,\"sub\":null}}";
    JsonNode claims = OAuthApp.claims(ask(idp, accessToken(logIn(idp, "scope", "openid", "claims", asked))).text());
    assertThat(claims.path("iss").asString()).isEqualTo(Idp.ENTITY);
    assertThat(claims.path("aud").asString()).isEqualTo(OAuthApp.ID);
    assertThat(claims.path("sub").asString()).hasSize(32);
  }

  @Test
  void comesEncryptedToWhoWantsItSo() throws Exception {
    ECKey key = new ECKeyGenerator(Curve.P_256).keyID("enc").generate();
    Encryption encryption = new Encryption("ECDH-ES", "A256GCM");
    app.keys = Optional.of(new Keys.Jwks(new JWKSet(key.toPublicJWK()).toString()));
    app.tokens = tokens(Optional.of(encryption), Optional.empty(), Optional.of(encryption));
    Idp idp = new Idp(OAuthApp.realm(app));
    JsonNode tokens = logIn(idp);
    JWEObject idToken = JWEObject.parse(tokens.path("id_token").asString());
    idToken.decrypt(new ECDHDecrypter(key));
    assertThat(idToken.getHeader().getContentType()).isEqualTo("JWT");
    assertThat(OAuthApp.claims(idToken.getPayload().toString()).path("aud").asString()).isEqualTo(OAuthApp.ID);
    JWEObject userInfo = JWEObject.parse(ask(idp, accessToken(tokens)).text());
    userInfo.decrypt(new ECDHDecrypter(key));
    assertThat(JsonMapper.shared().readTree(userInfo.getPayload().toBytes()).path("sub").asString()).hasSize(32);
  }

  /** A page of a public client can read it; other pages cannot. */
  @Test
  void pagesOfPublicClientsReadIt() {
    app.methods = Set.of(Method.NONE);
    Idp idp = new Idp(OAuthApp.realm(app));
    JsonNode tokens =
        app.exchange(idp, OAuthApp.code(app.ask(OAuthApp.signedIn(idp, "alice"))), "client_id", OAuthApp.ID);
    TestBrowser page = idp.browser();
    page.headers = Map.of("Authorization", "Bearer " + accessToken(tokens), "Origin", "https://app.example");
    assertThat(page.get(PATH).headers().first("Access-Control-Allow-Origin")).hasValue("https://app.example");
    page.headers = Map.of("Authorization", "Bearer " + accessToken(tokens), "Origin", "https://other.example");
    assertThat(page.get(PATH).headers().first("Access-Control-Allow-Origin")).isEmpty();
  }
}
