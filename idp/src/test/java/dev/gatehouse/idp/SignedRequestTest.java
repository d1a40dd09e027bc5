package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Authorization requests in signed objects (RFC 9101), and codes that are bound to a key from the beginning (RFC 9449,
 * section 10).
 */
final class SignedRequestTest {

  private static final TestKey KEY = TestKey.p256("app-key");
  private static final String PAR = "/realms/demo/oauth/par";

  private final OAuthApp app = new OAuthApp();
  private final Idp idp = new Idp(OAuthApp.realm(app));
  private final TestBrowser browser = OAuthApp.signedIn(idp, "alice");

  @BeforeEach
  void keys() {
    app.keys = Optional.of(new Keys.Jwks(KEY.jwks()));
    idp.realms.set(OAuthApp.realm(app));
  }

  @Test
  void theObjectsParametersAloneCount() {
    String object = object(KEY, Map.of());
    EdgeReply answer = app.ask(browser, "request", object, "state", "evil", "scope", "email", "nonce", "other");
    assertThat(OAuthApp.query(answer).one("state")).contains("signed");
    JsonNode tokens = app.exchange(idp, OAuthApp.code(answer));
    assertThat(tokens.path("scope").asString()).isEqualTo("openid");
    assertThat(OAuthApp.claims(tokens.path("id_token").asString()).path("nonce").asString()).isEqualTo("signed-nonce");
  }

  @Test
  void anObjectThatIsNotTheClientsIsRefusedWhereTheClientHearsOfIt() {
    assertThat(OAuthApp.error(app.ask(browser, "request", object(TestKey.p256("app-key"), Map.of()))))
        .isEqualTo("invalid_request_object: request object: its signature is not the client's");
    EdgeReply page = app.ask(browser, "request", "x", "redirect_uri", "https://evil.example/");
    assertThat(page.status()).as("nowhere else").isEqualTo(400);
    assertThat(page.headers().first("Location")).isEmpty();
  }

  @Test
  void aRedirectUriInAnObjectMustBeRegisteredToo() {
    EdgeReply page = app.ask(browser, "request", object(KEY, Map.of("redirect_uri", "https://evil.example/")));
    assertThat(page.status()).isEqualTo(400);
    assertThat(page.headers().first("Location")).isEmpty();
  }

  @Test
  void whoMustSignIsNotAnsweredOtherwise() {
    app.signed = true;
    idp.realms.set(OAuthApp.realm(app));
    assertThat(OAuthApp.error(app.ask(browser)))
        .isEqualTo("invalid_request: the client must send its requests in signed request objects: request is missing");
    EdgeReply plain = app.server(idp).post(PAR, app.request());
    assertThat(plain.status()).isEqualTo(400);
    assertThat(OAuthApp.json(plain).path("error").asString()).as("pushed as plain parameters").isEqualTo("invalid_request");
    long now = idp.time.instant().getEpochSecond();
    String object = object(KEY, Map.of("nbf", now, "exp", now + 60));
    EdgeReply pushed = app.server(idp).post(PAR, Map.of("client_id", "app", "request", object));
    String uri = OAuthApp.json(pushed).path("request_uri").asString();
    EdgeReply answer = browser.get(OAuthApp.AUTHORIZE + "?client_id=app&request_uri=" + uri);
    assertThat(OAuthApp.query(answer).one("state")).contains("signed");
  }

  @Test
  void aProofAtThePushBindsTheCode() {
    TestKey proof = TestKey.p256("proof");
    TestBrowser server = app.server(idp);
    Map<String, String> headers = new LinkedHashMap<>(server.headers);
    headers.put("DPoP", proof(proof, "oauth/par"));
    server.headers = headers;
    String uri = OAuthApp.json(server.post(PAR, app.request())).path("request_uri").asString();
    String code = OAuthApp.code(browser.get(OAuthApp.AUTHORIZE + "?client_id=app&request_uri=" + uri));
    JsonNode refused = app.exchange(idp, code);
    assertThat(refused.path("error_description").asString()).isEqualTo("The code is bound to another DPoP key");
    headers.put("DPoP", proof(proof, "oauth/par"));
    EdgeReply other = server.post(PAR, app.request("dpop_jkt", "A".repeat(43)));
    assertThat(OAuthApp.json(other).path("error").asString()).isEqualTo("invalid_dpop_proof");
  }

  private String proof(TestKey key, String path) {
    return key.sign(
        JwsName.ES256,
        key.proofHeader(JwsName.ES256),
        Map.of(
            "htm", "POST", "htu", Idp.ENTITY + "/" + path, "iat", idp.time.instant().getEpochSecond(),
            "jti", java.util.UUID.randomUUID().toString()));
  }

  private static String object(TestKey key, Map<String, Object> changes) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", "app");
    claims.put("aud", Idp.ENTITY);
    claims.put("client_id", "app");
    claims.put("response_type", "code");
    claims.put("redirect_uri", OAuthApp.CALLBACK);
    claims.put("scope", "openid");
    claims.put("state", "signed");
    claims.put("nonce", "signed-nonce");
    claims.put("code_challenge", OAuthApp.CHALLENGE);
    claims.put("code_challenge_method", "S256");
    claims.putAll(changes);
    return key.sign(JwsName.ES256, claims);
  }
}
