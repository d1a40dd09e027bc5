package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.idp.CertifiedClient.Flow;
import java.text.ParseException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * FAPI 2.0 Security Profile, final, section 5.3.2, following the conformance suite's plan: private_key_jwt, pushed
 * requests, PKCE, DPoP. A client that registers for both pushed requests and bound tokens must follow the profile.
 */
final class Fapi2ProfileTest {

  private static final Flow CODE = new Flow("code", "");
  private static final TestKey EC = TestKey.p256("ec");
  private static final TestKey RSA = TestKey.rsa("rsa");
  private static final TestKey PROOF = TestKey.p256("proof");

  private final Idp idp = CertifiedClient.provider();
  private final TestBrowser browser = idp.browser();
  private final CertifiedClient client = client(idp);

  private static CertifiedClient client(Idp idp) {
    CertifiedClient client =
        CertifiedClient.register(
            idp,
            "token_endpoint_auth_method", "private_key_jwt",
            "jwks", Map.of("keys", List.of(EC.jwk(), RSA.jwk())),
            "grant_types", List.of("authorization_code", "refresh_token"),
            "require_pushed_authorization_requests", true,
            "dpop_bound_access_tokens", true,
            "id_token_signed_response_alg", "ES256");
    client.key = Optional.of(EC);
    client.proof = Optional.of(PROOF);
    return client;
  }

  private Map<String, String> request(String... changes) {
    Map<String, String> all = new LinkedHashMap<>(client.request(CODE));
    all.put("code_challenge", OAuthApp.CHALLENGE);
    all.put("code_challenge_method", "S256");
    for (int i = 0; i < changes.length; i += 2) {
      all.put(changes[i], changes[i + 1]);
    }
    all.values().removeIf(String::isEmpty);
    return all;
  }

  private EdgeReply push(String... changes) {
    return client.call(CertifiedClient.PAR, request(changes));
  }

  private String reference(String... changes) {
    EdgeReply reply = push(changes);
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return OAuthApp.json(reply).path("request_uri").asString();
  }

  private EdgeReply bring(String reference) {
    return bring(client, reference);
  }

  private EdgeReply bring(CertifiedClient by, String reference) {
    return by.through(
        browser,
        browser.get(
            OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(Map.of("client_id", by.id(), "request_uri", reference))));
  }

  private Map<String, String> answer(String... changes) {
    return CertifiedClient.answer(bring(reference(changes)), CODE);
  }

  private EdgeReply exchange(String code, String... changes) {
    String[] all = new String[changes.length + 2];
    System.arraycopy(changes, 0, all, 2, changes.length);
    all[0] = "code_verifier";
    all[1] = OAuthApp.VERIFIER;
    return client.exchange(code, all);
  }

  private static String error(EdgeReply reply) {
    JsonNode json = OAuthApp.json(reply);
    return reply.status() + " " + json.path("error").asString();
  }

  private EdgeReply userInfo(String scheme, String token, TestKey signer) {
    TestBrowser server = idp.browser();
    String hash = CertifiedClient.whole(token);
    server.headers =
        Map.of(
            "Authorization", scheme + " " + token,
            "DPoP", client.proof(signer, "GET", CertifiedClient.USERINFO, "ath", hash));
    return server.get(CertifiedClient.USERINFO);
  }

  @Test
  void happyFlow() {
    Map<String, String> answer = answer();
    assertThat(answer).containsEntry("iss", Idp.ENTITY).containsEntry("state", "a state");
    JsonNode tokens = OAuthApp.json(exchange(Objects.requireNonNull(answer.get("code"))));
    assertThat(tokens.path("token_type").asString()).isEqualTo("DPoP");
    JsonNode idToken = client.verified(tokens.path("id_token").asString());
    assertThat(idToken.path("nonce").asString()).isEqualTo(CertifiedClient.NONCE);
    String token = tokens.path("access_token").asString();
    assertThat(OAuthApp.claims(token).path("cnf").path("jkt").asString()).hasSize(43);
    for (String scheme : List.of("DPoP", "dpop", "DPOP")) {
      assertThat(OAuthApp.json(userInfo(scheme, token, PROOF)).path("sub")).as(scheme).isEqualTo(idToken.path("sub"));
    }
    EdgeReply refused = userInfo("DPoP", token, EC);
    assertThat(refused.status()).as("another key").isEqualTo(401);
    assertThat(refused.headers().all("WWW-Authenticate"))
        .as("by the scheme that was used")
        .singleElement()
        .asString()
        .startsWith("DPoP realm=\"demo\", error=\"invalid_token\"");
    assertThat(client.userInfo(token).status()).as("as if it were not bound").isEqualTo(401);
  }

  @Test
  void whatTheMetadataSays() {
    JsonNode metadata = OAuthApp.json(idp.browser().get("/realms/demo/.well-known/openid-configuration"));
    assertThat(metadata.path("authorization_response_iss_parameter_supported").asBoolean()).isTrue();
    assertThat(metadata.path("code_challenge_methods_supported").toString()).isEqualTo("[\"S256\"]");
    assertThat(metadata.path("token_endpoint_auth_methods_supported").toString()).contains("\"private_key_jwt\"");
    assertThat(metadata.path("token_endpoint_auth_signing_alg_values_supported").toString()).contains("ES256", "PS256");
    assertThat(metadata.path("dpop_signing_alg_values_supported").toString()).contains("ES256", "PS256");
    assertThat(metadata.path("pushed_authorization_request_endpoint").asString()).isEqualTo(Idp.ENTITY + "/oauth/par");
  }

  @Test
  void aPersonWhoDoesNotAgree() {
    EdgeReply form =
        browser.follow(
            browser.get(
                OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(Map.of("client_id", client.id(), "request_uri", reference()))));
    EdgeReply question = browser.follow(browser.follow(browser.login(form, "alice", "demo")));
    EdgeReply reply = client.through(browser, OAuthApp.answer(browser, question, "deny"));
    assertThat(CertifiedClient.answer(reply, CODE))
        .containsEntry("error", "access_denied").containsEntry("iss", Idp.ENTITY).containsEntry("state", "a state");
  }

  @Test
  void stateAndNonceAreTheClients() {
    assertThat(answer("state", "")).doesNotContainKey("state").containsKey("code");
    assertThat(answer("nonce", "")).containsKey("code");
    String state = "s".repeat(1000);
    assertThat(answer("state", state)).containsEntry("state", state);
    for (int length : List.of(64, 384)) {
      String nonce = "n".repeat(length);
      JsonNode tokens = OAuthApp.json(exchange(Objects.requireNonNull(answer("nonce", nonce).get("code"))));
      assertThat(client.verified(tokens.path("id_token").asString()).path("nonce").asString()).isEqualTo(nonce);
    }
    assertThat(answer("scope", "email openid")).containsKey("code");
    assertThat(answer("claims", "{\"userinfo\":{\"name\":{\"essential\":true}}}")).containsKey("code");
  }

  @Test
  void onlyTheCodeFlow() {
    assertThat(error(push("response_type", "code id_token"))).isEqualTo("400 unauthorized_client");
    assertThat(error(push("response_type", "token"))).isEqualTo("400 unauthorized_client");
  }

  @Test
  void onlyPushedRequests() {
    EdgeReply reply = browser.get(OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(request()));
    assertThat(CertifiedClient.answer(reply, CODE)).containsEntry("error", "invalid_request");
  }

  @Test
  void aPushedRequestHasItsOwnRedirectUri() {
    assertThat(error(push("redirect_uri", ""))).isEqualTo("400 invalid_request");
    assertThat(error(push("redirect_uri", "https://app.example/other"))).isEqualTo("400 invalid_request");
  }

  @Test
  void pkceByS256Alone() {
    assertThat(error(push("code_challenge", "", "code_challenge_method", ""))).isEqualTo("400 invalid_request");
    assertThat(error(push("code_challenge", OAuthApp.VERIFIER, "code_challenge_method", "plain")))
        .isEqualTo("400 invalid_request");
    assertThat(error(exchange(Objects.requireNonNull(answer().get("code")), "code_verifier", ""))).isEqualTo("400 invalid_grant");
    assertThat(error(exchange(Objects.requireNonNull(answer().get("code")), "code_verifier", "x".repeat(43)))).isEqualTo("400 invalid_grant");
  }

  @Test
  void codesAreShortLivedAndCountOnce() {
    String code = Objects.requireNonNull(answer().get("code"));
    assertThat(exchange(code).status()).isEqualTo(200);
    idp.time.advance(Duration.ofSeconds(1));
    assertThat(error(exchange(code))).isEqualTo("400 invalid_grant");
    String late = Objects.requireNonNull(answer().get("code"));
    idp.time.advance(Duration.ofSeconds(61));
    assertThat(error(exchange(late))).isEqualTo("400 invalid_grant");
  }

  @Test
  void codesAreShortLivedWhateverTheRealmSays() {
    Realm realm = idp.realms.find("demo").orElseThrow();
    OAuthConfig usual = realm.idp().orElseThrow().oauth();
    idp.realms.set(
        TestRealms.change(realm)
            .oauth(
                new OAuthConfig(
                    usual.accessTokenLife(), usual.refreshTokenLife(), Duration.ofMinutes(10), usual.deviceCodeLife(),
                    usual.pushedLife(), usual.registration(), usual.scopes(), usual.claims(), Optional.empty(), List.of()))
            .realm());
    String late = Objects.requireNonNull(answer().get("code"));
    idp.time.advance(Duration.ofSeconds(61));
    assertThat(error(exchange(late))).isEqualTo("400 invalid_grant");
  }

  @Test
  void codesAreTheirClients() {
    String code = Objects.requireNonNull(answer().get("code"));
    CertifiedClient other = client(idp);
    assertThat(error(other.exchange(code, "code_verifier", OAuthApp.VERIFIER))).isEqualTo("400 invalid_grant");
  }

  @Test
  void aReferenceCountsOnceAndInTimeAndForItsClient() {
    String reference = reference();
    browser.get(OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(Map.of("client_id", client.id(), "request_uri", reference)));
    assertThat(CertifiedClient.answer(bring(reference), CODE)).as("looked at before").containsKey("code");
    refused(bring(reference));
    String expired = reference();
    idp.time.advance(Duration.ofSeconds(91));
    refused(bring(expired));
    refused(bring(client(idp), reference()));
    assertThat(OAuthApp.json(push()).path("expires_in").asLong()).isBetween(5L, 599L);
  }

  private void refused(EdgeReply reply) {
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.headers().first("Location")).isEmpty();
    assertThat(idp.audit.events(MessageRefused.class)).last()
        .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo("PUSHED_REQUEST_UNKNOWN"));
  }

  @Test
  void theEndpointForPushedRequestsTakesNoReferenceAndNoGet() {
    assertThat(error(push("request_uri", "urn:ietf:params:oauth:request_uri:x"))).isEqualTo("400 invalid_request");
    assertThat(idp.browser().get(CertifiedClient.PAR + "?" + TestBrowser.encode(request())).status()).isEqualTo(405);
  }

  @Test
  void withoutAKeyThereIsNoToken() {
    String code = Objects.requireNonNull(answer().get("code"));
    client.proof = Optional.empty();
    assertThat(error(exchange(code))).isEqualTo("400 invalid_dpop_proof");
  }

  /** FAPI 2.0 Security Profile, section 5.4.1. */
  @Test
  void proofsBySignaturesThatTheProfileLeavesOutAreRefusedEverywhere() {
    client.proof = Optional.of(RSA);
    client.proofAlgorithm = JwsName.PS256;
    String code = Objects.requireNonNull(answer().get("code"));
    client.proofAlgorithm = JwsName.RS256;
    assertThat(error(push())).isEqualTo("400 invalid_dpop_proof");
    EdgeReply refused = exchange(code);
    assertThat(error(refused)).isEqualTo("400 invalid_dpop_proof");
    assertThat(refused.text()).contains("alg is RS256, but the FAPI 2.0 Security Profile allows PS256, ES256 and EdDSA");
    client.proofAlgorithm = JwsName.PS256;
    EdgeReply tokens = exchange(code);
    assertThat(tokens.status()).as("the code was not touched").isEqualTo(200);
    String token = OAuthApp.json(tokens).path("access_token").asString();
    assertThat(userInfo("DPoP", token, RSA).status()).isEqualTo(200);
    client.proofAlgorithm = JwsName.RS256;
    assertThat(error(userInfo("DPoP", token, RSA))).isEqualTo("401 invalid_dpop_proof");
  }

  @Test
  void theCodeIsBoundToTheKeyOfThePushedRequest() {
    String code = Objects.requireNonNull(answer().get("code"));
    client.proof = Optional.of(TestKey.p256("another"));
    assertThat(error(exchange(code))).isIn("400 invalid_grant", "400 invalid_dpop_proof");
    client.proof = Optional.of(PROOF);
    assertThat(error(push("dpop_jkt", "A".repeat(43)))).isEqualTo("400 invalid_dpop_proof");
  }

  @Test
  void theCodeIsBoundToTheKeyThatThePushedRequestNames() throws ParseException, JOSEException {
    String thumbprint = ECKey.parse(PROOF.jwk()).computeThumbprint().toString();
    client.proof = Optional.empty();
    String code = Objects.requireNonNull(answer("dpop_jkt", thumbprint).get("code"));
    String another = Objects.requireNonNull(answer("dpop_jkt", thumbprint).get("code"));
    client.proof = Optional.of(PROOF);
    assertThat(exchange(code).status()).isEqualTo(200);
    client.proof = Optional.of(EC);
    assertThat(error(exchange(another))).isIn("400 invalid_grant", "400 invalid_dpop_proof");
  }

  @Test
  void clocksMayDifferByTenSeconds() {
    for (int seconds : List.of(-10, 10)) {
      String code = Objects.requireNonNull(answer().get("code"));
      long now = idp.time.instant().getEpochSecond();
      client.proofChanges = new Object[] {"iat", now + seconds, "nbf", now - 30, "exp", now + 60};
      assertThat(exchange(code).status()).as("%s", seconds).isEqualTo(200);
    }
  }

  @Test
  void assertionsAreAsTheProfileWantsThem() {
    wasRefused("aud", "https://other.example");
    wasRefused("aud", Idp.ENTITY + "/oauth/token");
    wasRefused("aud", List.of(Idp.ENTITY, "https://other.example"));
    wasRefused("aud", List.of(Idp.ENTITY));
    wasRefused("sub", "");
    wasRefused("iss", "");
    wasRefused("iss", "other");
    wasRefused("exp", idp.time.instant().getEpochSecond() - 300);
    wasRefused("exp", "");
    wasRefused("jti", "");
    long now = idp.time.instant().getEpochSecond();
    for (String name : List.of("nbf", "iat")) {
      assertThat(asserted(client.assertion(name, now + 8)).status()).as(name).isEqualTo(201);
      wasRefused(name, now + 61);
    }
    assertThat(error(asserted(RSA.sign(JwsName.RS256, client.assertionClaims())))).isEqualTo("401 invalid_client");
    assertThat(asserted(RSA.sign(JwsName.PS256, client.assertionClaims())).status()).isEqualTo(201);
    String signed = client.assertion();
    assertThat(error(asserted(signed.substring(0, signed.length() - 4) + "AAAA"))).isEqualTo("401 invalid_client");
    String code = answer().get("code");
    TestBrowser server = idp.browser();
    server.headers = Map.of("DPoP", client.proof(PROOF, "POST", CertifiedClient.TOKEN));
    Map<String, String> bare =
        Map.of("grant_type", "authorization_code", "code", code, "client_id", client.id(), "code_verifier", OAuthApp.VERIFIER);
    assertThat(error(server.post(CertifiedClient.TOKEN, bare))).isEqualTo("401 invalid_client");
  }

  private EdgeReply asserted(String assertion) {
    return push("client_assertion", assertion);
  }

  private void wasRefused(String claim, Object value) {
    assertThat(error(asserted(client.assertion(claim, value)))).as(claim + " " + value).isEqualTo("401 invalid_client");
  }

  @Test
  void refreshTokensAreTheirClientsAndBoundTokensComeOfThem() {
    JsonNode tokens = OAuthApp.json(exchange(Objects.requireNonNull(answer("scope", "openid offline_access", "prompt", "consent").get("code"))));
    String refresh = tokens.path("refresh_token").asString();
    Map<String, String> form = Map.of("grant_type", "refresh_token", "refresh_token", refresh);
    assertThat(error(client(idp).call(CertifiedClient.TOKEN, form))).isEqualTo("400 invalid_grant");
    assertThat(OAuthApp.json(client.call(CertifiedClient.TOKEN, form)).path("refresh_token").asString())
        .as("it does not rotate: this answer may be lost")
        .isEqualTo(refresh);
    JsonNode again = OAuthApp.json(client.call(CertifiedClient.TOKEN, form));
    assertThat(again.path("token_type").asString()).isEqualTo("DPoP");
    assertThat(userInfo("DPoP", again.path("access_token").asString(), PROOF).status()).isEqualTo(200);
  }
}
