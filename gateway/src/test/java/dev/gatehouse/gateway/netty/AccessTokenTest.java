package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.realm.ClientAuthentication;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.jose.DpopProofs;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.GatewayConfig.Verification;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.netty.RawClient.Response;
import dev.gatehouse.sp.TestProvider;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Access tokens on API routes; SECURITY-CASES 28, 33 and 35 at the resource's side. */
@Timeout(60)
class AccessTokenTest {

  private static final String API = "https://api.example.org";
  private static final String STRONG = "urn:example:strong";
  private static final Instant NOW = new TestTime().instant();

  private final TestTime time = new TestTime();
  private final TestProvider provider = new TestProvider(time);
  private final TestProvider stranger = new TestProvider(time);
  private final RawApp app = RawApp.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nCache-Control: public\r\n\r\n");
  private final TestGateway gateway = TestGateway.of(realm());

  AccessTokenTest() throws IOException {}

  @BeforeEach
  void known() {
    provider.awaitKnown(gateway.providers());
  }

  @AfterEach
  void close() throws IOException {
    gateway.close();
    app.close();
    provider.close();
    stranger.close();
  }

  private Realm realm() {
    List<String> issuers = List.of(provider.issuer());
    Verification jwt = new Verification.Jwt();
    Verification asked = new Verification.Introspection(Duration.ofSeconds(10));
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost")
        .providers(provider.config())
        .identityProvider(provider.issuer())
        .clients(client("nonces", Binding.DPOP_NONCE, false), client("fapi", Binding.DPOP, true))
        .routes(
            route("jwt", new Access.Protected(), bearer(issuers, jwt, List.of("read"), false, false), List.of()),
            route("manager", new Access.RequiresRole(Set.of("manager")), bearer(issuers, jwt, List.of(), false, false), List.of()),
            route("admin", new Access.Protected(), bearer(issuers, jwt, List.of("read", "admin"), false, false), List.of()),
            route("strong", new Access.Protected(), bearer(issuers, jwt, List.of(), false, false), List.of(STRONG)),
            route("bound", new Access.Protected(), bearer(issuers, jwt, List.of(), true, false), List.of()),
            route("forward", new Access.Protected(), bearer(issuers, jwt, List.of(), false, true), List.of()),
            route("asked", new Access.Protected(), bearer(issuers, asked, List.of(), false, false), List.of()))
        .realm();
  }

  private static BearerConfig bearer(
      List<String> issuers, Verification how, List<String> scopes, boolean dpop, boolean forward) {
    return new BearerConfig(issuers, List.of(API), how, scopes, dpop, forward);
  }

  private RouteConfig route(String name, Access access, BearerConfig bearer, List<String> acr) {
    return new RouteConfig(
        name, new GatewayConfig.Match(Set.of("app.localhost"), "/" + name + "/"), URI.create("http://127.0.0.1:" + app.port()),
        access, Map.of("Remote-User", "user", "Remote-Groups", "groups", "X-Mail", "email"),
        GatewayConfig.SignOn.form(false, Optional.empty(), acr, Optional.of(bearer)));
  }

  private String token(UnaryOperator<JWTClaimsSet.Builder> change) {
    return provider.sign(change.apply(provider.accessToken(API)).build(), Optional.of("at+jwt"));
  }

  private Response get(String path, String... fields) throws IOException {
    try (RawClient client = gateway.connect()) {
      return client.get(path, fields).read();
    }
  }

  private void refused(String path, String reason, String challenge, String... fields) throws IOException {
    Response response = get(path, fields);
    assertThat(gateway.denials()).containsExactly(reason);
    assertThat(response.status()).isIn(400, 401, 403);
    assertThat(response.field("WWW-Authenticate")).contains(challenge);
    assertThat(app.received()).isEmpty();
  }

  @Test
  void aTokenTellsTheAppWhoIsThereAndStaysHere() throws IOException {
    String token = token(b -> b.claim("email", "alice@example.org"));

    Response response =
        get("/jwt/things?x=1", "Authorization: Bearer " + token, "Remote-User: root", "Cookie: gh_app=x; theme=dark");

    assertThat(response.status()).isEqualTo(200);
    assertThat(app.only().has("Remote-User: alice")).isTrue();
    assertThat(app.only().has("Remote-Groups: staff")).isTrue();
    assertThat(app.only().has("X-Mail: alice@example.org")).isTrue();
    assertThat(app.only().head()).doesNotContainIgnoringCase("authorization").doesNotContain("root");
    assertThat(response.field("Cache-Control")).contains("private");
  }

  @Test
  void theAppGetsTheTokenWhereTheRouteSaysSo() throws IOException {
    String token = token(b -> b);
    get("/forward/", "Authorization: Bearer " + token);
    assertThat(app.only().has("Authorization: Bearer " + token)).isTrue();
  }

  @Test
  void aClientsOwnTokenIsNobodysName() throws IOException {
    get("/jwt/", "Authorization: Bearer " + token(b -> b.subject("alice").claim("client_id", "alice").claim("preferred_username", null)));
    assertThat(app.only().has("Remote-User: client:alice")).isTrue();
  }

  @Test
  void withoutATokenThereIsAChallengeAndNoLogin() throws IOException {
    String session = gateway.sessions().open("alice", List.of(), List.of("staff"));

    Response response = get("/jwt/", "Cookie: gh_app=" + session, "Accept: text/html");

    assertThat(response.status()).isEqualTo(401);
    assertThat(response.field("WWW-Authenticate").orElseThrow())
        .startsWith("Bearer realm=\"demo\", DPoP algs=\"ES256 ").doesNotContain("error");
    assertThat(get("/jwt/", "Authorization: Basic eDp5").status()).isEqualTo(401);
    assertThat(get("/jwt/?access_token=" + token(b -> b)).status()).isEqualTo(401);
    assertThat(app.received()).isEmpty();
    assertThat(gateway.serviceProvider().challenged()).isEmpty();
  }

  static Stream<Arguments> wrongTokens() {
    return Stream.of(
        wrong("TOKEN_AUDIENCE", b -> b.audience("https://other.example.org")),
        wrong("TOKEN_AUDIENCE", b -> b.audience((String) null)),
        wrong("TOKEN_AUDIENCE", b -> b.audience(API + "/more")),
        wrong("TOKEN_ISSUER", b -> b.issuer("https://evil.example")),
        wrong("TOKEN_EXPIRED", b -> b.expirationTime(Date.from(NOW.minusSeconds(61)))),
        wrong("TOKEN_EXPIRED", b -> b.expirationTime(null)),
        wrong("TOKEN_NOT_YET_VALID", b -> b.notBeforeTime(Date.from(NOW.plusSeconds(62)))),
        wrong("TOKEN_SUBJECT", b -> b.subject(null)),
        wrong("TOKEN_SUBJECT", b -> b.claim("preferred_username", "al\r\nX: y")),
        wrong("TOKEN_TYPE", b -> b.claim("nonce", "of an ID token")),
        wrong("TOKEN_TYPE", b -> b.claim("events", Map.of())),
        wrong("TOKEN_BINDING", b -> b.claim("cnf", Map.of("x5t#S256", "x"))),
        wrong("TOKEN_BINDING", b -> b.claim("cnf", Map.of("jkt", "x"))));
  }

  private static Arguments wrong(String reason, UnaryOperator<JWTClaimsSet.Builder> change) {
    return Arguments.of(reason, change);
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @MethodSource("wrongTokens")
  void aTokenThatBreaksARuleIsRefused(String reason, UnaryOperator<JWTClaimsSet.Builder> change) throws IOException {
    refused(
        "/jwt/", reason, "Bearer realm=\"demo\", error=\"invalid_token\"", "Authorization: Bearer " + token(change));
  }

  @Test
  void otherKindsOfTokensAreNone() throws IOException {
    JWTClaimsSet claims = provider.accessToken(API).build();
    get("/jwt/", "Authorization: Bearer " + provider.sign(claims, Optional.of("logout+jwt")));
    get("/jwt/", "Authorization: Bearer " + provider.sign(claims, Optional.empty()));
    get("/jwt/", "Authorization: Bearer " + new PlainJWT(claims).serialize());
    get("/jwt/", "Authorization: Bearer opaque");
    assertThat(gateway.denials())
        .containsExactly("TOKEN_TYPE", "TOKEN_TYPE", "TOKEN_UNREADABLE", "TOKEN_UNREADABLE");
    assertThat(app.received()).isEmpty();
  }

  @Test
  void strangersKeysAndThePublicKeyAsASecretSignNothing() throws Exception {
    JWTClaimsSet claims = provider.accessToken(API).build();
    SignedJWT hmac =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).type(new JOSEObjectType("at+jwt")).build(), claims);
    hmac.sign(new MACSigner(provider.key().toRSAPublicKey().getEncoded()));

    get("/jwt/", "Authorization: Bearer " + TestProvider.sign(claims, Optional.of("at+jwt"), stranger.key()));
    get("/jwt/", "Authorization: Bearer " + hmac.serialize());

    assertThat(gateway.denials()).containsExactly("TOKEN_SIGNATURE", "TOKEN_SIGNATURE");
    assertThat(app.received()).isEmpty();
  }

  @Test
  void authorizationTwiceOrMisshapenIsABadRequest() throws IOException {
    String good = "Authorization: Bearer " + token(b -> b);
    assertThat(get("/jwt/", good, good).status()).isEqualTo(400);
    assertThat(get("/jwt/", "Authorization: Bearer").status()).isEqualTo(400);
    assertThat(get("/jwt/", "Authorization: Bearer a b").status()).isEqualTo(400);
    assertThat(gateway.denials()).containsOnly("TOKEN_MALFORMED").hasSize(3);
    assertThat(app.received()).isEmpty();
  }

  @Test
  void scopesRolesAndStrengthAreAskedFor() throws IOException {
    String good = "Authorization: Bearer " + token(b -> b);
    Response scope = get("/admin/", good);
    Response role = get("/manager/", good);
    Response weak = get("/strong/", good);

    assertThat(scope.status()).isEqualTo(403);
    assertThat(scope.field("WWW-Authenticate"))
        .contains("Bearer realm=\"demo\", error=\"insufficient_scope\", scope=\"read admin\"");
    assertThat(role.status()).isEqualTo(403);
    assertThat(weak.status()).isEqualTo(401);
    assertThat(weak.field("WWW-Authenticate"))
        .contains("Bearer realm=\"demo\", error=\"insufficient_user_authentication\", acr_values=\"" + STRONG + "\"");
    assertThat(gateway.denials()).containsExactly("SCOPE_MISSING", "ROLE_MISSING", "AUTHENTICATION_TOO_WEAK");
    assertThat(get("/strong/", "Authorization: Bearer " + token(b -> b.claim("acr", STRONG))).status()).isEqualTo(200);
  }

  @Test
  void aTokenEndsWhenItEndsAlthoughItIsRemembered() throws IOException {
    String good = "Authorization: Bearer " + token(b -> b);
    assertThat(get("/jwt/", good).status()).isEqualTo(200);
    assertThat(get("/jwt/", good).status()).isEqualTo(200);
    gateway.time().advance(Duration.ofMinutes(6).plusSeconds(1));
    assertThat(get("/jwt/", good).status()).isEqualTo(401);
  }

  // --- introspection ---

  private Map<String, Object> active() {
    return Map.of(
        "active", true, "sub", "sub-of-alice", "username", "alice", "aud", API, "scope", "read", "client_id", "c",
        "exp", NOW.plusSeconds(300).getEpochSecond());
  }

  @Test
  void anOpaqueTokenIsAskedAboutAndRememberedForAsLongAsTheRouteSays() throws IOException {
    provider.introspection("opaque-1", active());
    String field = "Authorization: Bearer opaque-1";
    assertThat(get("/asked/", field).status()).isEqualTo(200);
    assertThat(app.only().has("Remote-User: alice")).isTrue();
    provider.introspection("opaque-1", Map.of());
    assertThat(get("/asked/", field).status()).isEqualTo(200);
    assertThat(provider.introspections()).isEqualTo(1);

    gateway.time().advance(Duration.ofSeconds(10));

    assertThat(get("/asked/", field).status()).as("it was revoked ten seconds ago").isEqualTo(401);
    assertThat(gateway.denials()).containsExactly("TOKEN_INACTIVE");
  }

  @Test
  void whatDoesNotCountIsRememberedForASecondOnly() throws IOException {
    String field = "Authorization: Bearer opaque-2";
    get("/asked/", field);
    get("/asked/", field);
    assertThat(provider.introspections()).isEqualTo(1);
    provider.introspection("opaque-2", active());
    gateway.time().advance(Duration.ofSeconds(1));
    assertThat(get("/asked/", field).status()).isEqualTo(200);
  }

  @Test
  void anIntrospectionWithoutOurAudienceIsNone() throws IOException {
    provider.introspection("a", Map.of("active", true, "sub", "s", "exp", NOW.plusSeconds(300).getEpochSecond()));
    get("/asked/", "Authorization: Bearer a");
    assertThat(gateway.denials()).containsExactly("TOKEN_AUDIENCE");
  }

  @Test
  void whereTheIssuerDoesNotAnswerNothingIsSaidAgainstTheToken() throws IOException {
    provider.down(true);
    Response response = get("/asked/", "Authorization: Bearer opaque-3");
    assertThat(response.status()).isEqualTo(503);
    assertThat(response.field("WWW-Authenticate")).isEmpty();
  }

  // --- DPoP ---

  private static final String HTU = "http://app.localhost/jwt/things";

  private static ECKey ecKey() {
    try {
      return new ECKeyGenerator(Curve.P_256).generate();
    } catch (com.nimbusds.jose.JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private final ECKey key = ecKey();

  private String bound() {
    return bound("some-client");
  }

  private String bound(String client) {
    return token(b -> b.claim("client_id", client).claim("cnf", Map.of("jkt", thumbprint(key))));
  }

  private static String thumbprint(JWK key) {
    try {
      return key.computeThumbprint().toString();
    } catch (com.nimbusds.jose.JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String rsaProof(RSAKey by, JWSAlgorithm algorithm, String token) throws Exception {
    SignedJWT proof =
        new SignedJWT(
            new JWSHeader.Builder(algorithm).type(new JOSEObjectType("dpop+jwt")).jwk(by.toPublicJWK()).build(),
            proofClaims(token).build());
    proof.sign(new RSASSASigner(by));
    return proof.serialize();
  }

  private static JWTClaimsSet.Builder proofClaims(String token) {
    return new JWTClaimsSet.Builder()
        .jwtID(UUID.randomUUID().toString())
        .claim("htm", "GET")
        .claim("htu", HTU)
        .claim("ath", DpopProofs.hash(token))
        .issueTime(Date.from(NOW));
  }

  private String proof(ECKey by, String token, UnaryOperator<JWTClaimsSet.Builder> change) throws Exception {
    SignedJWT proof =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("dpop+jwt")).jwk(by.toPublicJWK()).build(),
            change.apply(proofClaims(token)).build());
    proof.sign(new ECDSASigner(by));
    return proof.serialize();
  }

  @Test
  void aBoundTokenComesWithItsProof() throws Exception {
    String token = bound();
    Response response =
        get("/jwt/things?x=1", "Authorization: DPoP " + token, "DPoP: " + proof(key, token, b -> b));
    assertThat(response.status()).isEqualTo(200);
    assertThat(app.only().has("Remote-User: alice")).isTrue();
    assertThat(app.only().head()).doesNotContainIgnoringCase("dpop");
  }

  @Test
  void aProofOfAnotherRequestKeyOrTokenIsNone() throws Exception {
    String token = bound();
    String authorization = "Authorization: DPoP " + token;
    for (String wrong :
        List.of(
            proof(key, token, b -> b.claim("htm", "POST")),
            proof(key, token, b -> b.claim("htu", "http://app.localhost/jwt/others")),
            proof(key, token, b -> b.claim("htu", "https://evil.example/jwt/things")),
            proof(key, token, b -> b.claim("ath", DpopProofs.hash("another"))),
            proof(key, token, b -> b.issueTime(Date.from(NOW.minusSeconds(61)))),
            proof(ecKey(), token, b -> b))) {
      Response response = get("/jwt/things", authorization, "DPoP: " + wrong);
      assertThat(response.status()).isEqualTo(401);
      assertThat(response.field("WWW-Authenticate"))
          .contains("DPoP algs=\"ES256 EdDSA PS256 RS256\", error=\"invalid_dpop_proof\"");
    }
    get("/jwt/things", authorization);
    String once = proof(key, token, b -> b);
    assertThat(get("/jwt/things", authorization, "DPoP: " + once).status()).isEqualTo(200);
    assertThat(get("/jwt/things", authorization, "DPoP: " + once).status()).as("replayed").isEqualTo(401);
    assertThat(get("/jwt/things", authorization, "DPoP: " + once, "DPoP: " + once).status()).isEqualTo(401);
    assertThat(gateway.denials()).containsOnly("DPOP_PROOF").hasSize(9);
    assertThat(app.received()).hasSize(1);
  }

  private static ClientConfig client(String id, Binding binding, boolean pushed) {
    ClientConfig.Requests requests =
        new ClientConfig.Requests(
            true, pushed, false, List.of(), Optional.empty(), Optional.empty(), Optional.empty(), false, List.of());
    ClientConfig.Tokens usual = ClientConfig.Tokens.USUAL;
    ClientConfig.Tokens tokens =
        new ClientConfig.Tokens(
            usual.accessToken(), usual.accessTokenAlgorithm(), usual.accessTokenLife(), usual.refreshTokenLife(),
            usual.refreshGrace(), usual.idTokenAlgorithm(), usual.idTokenEncryption(), usual.userInfoAlgorithm(),
            usual.userInfoEncryption(), binding);
    return new ClientConfig(
        id, Optional.empty(), ClientAuthentication.NONE,
        new ClientConfig.Permissions(Set.of(ClientConfig.GrantType.CODE), List.of(), Set.of(), List.of()),
        new ClientConfig.Login(new ClientConfig.SubjectType.Public(), false, Optional.empty()), requests, tokens,
        Optional.empty(), ClientConfig.Logout.NONE, ClientConfig.About.NOTHING);
  }

  /** RFC 9449, section 9: {@code binding: dpopNonce} counts at routes as it does at the idp. */
  @Test
  void aClientThatIsConfiguredForNoncesIsToldOne() throws Exception {
    String token = bound("nonces");
    String authorization = "Authorization: DPoP " + token;
    Response first = get("/jwt/things", authorization, "DPoP: " + proof(key, token, b -> b));
    assertThat(first.status()).isEqualTo(401);
    assertThat(first.field("WWW-Authenticate"))
        .contains("DPoP algs=\"ES256 EdDSA PS256 RS256\", error=\"use_dpop_nonce\"");
    String nonce = first.field("DPoP-Nonce").orElseThrow();
    assertThat(gateway.denials()).as("the usual course is not audited").isEmpty();
    assertThat(app.received()).isEmpty();
    String wrong = proof(key, token, b -> b.claim("nonce", nonce.replace(nonce.charAt(0), 'x')));
    assertThat(get("/jwt/things", authorization, "DPoP: " + wrong).field("DPoP-Nonce")).contains(nonce);

    String right = proof(key, token, b -> b.claim("nonce", nonce));
    assertThat(get("/jwt/things", authorization, "DPoP: " + right).status()).isEqualTo(200);
    assertThat(get("/jwt/things", authorization, "DPoP: " + right).status()).as("replayed").isEqualTo(401);

    gateway.time().advance(Duration.ofMinutes(5));
    Response old =
        get(
            "/jwt/things", authorization,
            "DPoP: " + proof(key, token, b -> b.claim("nonce", nonce).issueTime(Date.from(gateway.time().instant()))));
    assertThat(old.status()).isEqualTo(401);
    assertThat(old.field("DPoP-Nonce")).isPresent().get().isNotEqualTo(nonce);
  }

  @Test
  void otherClientsAreNotAskedForNonces() throws Exception {
    String token = bound("some-client");
    Response response = get("/jwt/things", "Authorization: DPoP " + token, "DPoP: " + proof(key, token, b -> b));
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.field("DPoP-Nonce")).isEmpty();
  }

  /** FAPI 2.0 Security Profile, section 5.4.1. */
  @Test
  void aClientHeldToFapi2ProvesWithItsAlgorithmsAlone() throws Exception {
    RSAKey rsa = new RSAKeyGenerator(2048).generate();
    for (String client : List.of("fapi", "some-client")) {
      String token =
          token(b -> b.claim("client_id", client).claim("cnf", Map.of("jkt", thumbprint(rsa))));
      String authorization = "Authorization: DPoP " + token;
      Response weak = get("/jwt/things", authorization, "DPoP: " + rsaProof(rsa, JWSAlgorithm.RS256, token));
      assertThat(weak.status()).as(client).isEqualTo(client.equals("fapi") ? 401 : 200);
      assertThat(get("/jwt/things", authorization, "DPoP: " + rsaProof(rsa, JWSAlgorithm.PS256, token)).status())
          .as(client)
          .isEqualTo(200);
    }
    assertThat(gateway.denials()).containsExactly("DPOP_PROOF");
  }

  @Test
  void aBoundTokenIsNoBearerTokenAndTheOtherWayRound() throws Exception {
    String token = bound();
    get("/jwt/things", "Authorization: Bearer " + token);
    String plain = token(b -> b);
    get("/jwt/things", "Authorization: DPoP " + plain, "DPoP: " + proof(key, plain, b -> b));
    get("/bound/", "Authorization: Bearer " + plain);
    assertThat(gateway.denials()).containsExactly("TOKEN_BINDING", "TOKEN_BINDING", "TOKEN_BINDING");
    assertThat(app.received()).isEmpty();
  }
}
