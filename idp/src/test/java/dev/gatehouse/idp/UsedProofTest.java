package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.idp.TokenWorld.Answer;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** RFC 9449, section 11.1: a proof counts once. Anybody can make one, and nothing is stored for those who have nothing else. */
final class UsedProofTest {

  private static final TestKey KEY = TestKey.p256("key");
  private static final String TOKEN = "oauth/token";
  private static final String MARK = "replay firstSeen";
  private static final String USED = "invalid_dpop_proof: DPoP: it was used before";

  private final TestClient page =
      TestClient.web("page")
          .withoutSecret()
          .grants(GrantType.CODE, GrantType.REFRESH, GrantType.DEVICE, GrantType.CLIENT_CREDENTIALS);
  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final CountingStores stores = new CountingStores(new MemoryStores(time));
  private final TokenWorld world =
      new TokenWorld(TestRealms.demo(), time, stores, SealingKey.inMemory(new SecureRandom()), page);

  private Map<String, String> proof() {
    return world.proved(Map.of(), KEY, "POST", TOKEN, "");
  }

  private Answer ask(Map<String, String> proof, String... form) {
    Map<String, String> all = TokenWorld.form(form);
    all.put("client_id", "page");
    return world.send("POST", TOKEN, proof, TestBrowser.encode(all));
  }

  private Answer redeem(Map<String, String> proof, String code) {
    return ask(
        proof, "grant_type", "authorization_code", "code", code, "redirect_uri", TokenWorld.CALLBACK, "code_verifier",
        TokenWorld.VERIFIER);
  }

  private Answer refresh(Map<String, String> proof, String token) {
    return ask(proof, "grant_type", "refresh_token", "refresh_token", token);
  }

  private String code() {
    return world.code(world.agreed("page", "read"));
  }

  @Test
  void whoHasNoGrantLeavesNoMark() {
    String device = "urn:ietf:params:oauth:grant-type:device_code";
    world.devices.put("waiting", OAuthError.refused(Code.AUTHORIZATION_PENDING, "The person has yet to answer"));
    assertThat(redeem(proof(), "x").error()).isEqualTo("invalid_grant: The code is unknown or has expired");
    assertThat(refresh(proof(), "x").error()).isEqualTo("invalid_grant: The refresh token was not issued here");
    assertThat(ask(proof(), "grant_type", device, "device_code", "x").error()).startsWith("invalid_grant");
    assertThat(ask(proof(), "grant_type", device, "device_code", "waiting").error()).startsWith("authorization_pending");
    assertThat(ask(proof(), "grant_type", "client_credentials").error()).startsWith("unauthorized_client");
    assertThat(stores.writes).doesNotContain(MARK);
    assertThat(redeem(proof(), code()).status()).isEqualTo(200);
    assertThat(stores.writes).containsOnlyOnce(MARK);
  }

  @Test
  void aCodeWithAProofThatWasUsedGivesNothing() {
    Map<String, String> proof = proof();
    assertThat(redeem(proof, code()).status()).isEqualTo(200);
    String code = code();
    assertThat(redeem(proof, code).error()).isEqualTo(USED);
    assertThat(redeem(proof(), code).error())
        .as("it is used up, as with any other error")
        .isEqualTo("invalid_grant: The code was used before: what it gave is revoked");
  }

  @Test
  void aRefreshTokenNeedsAFreshProofEachTime() {
    String token = redeem(proof(), code()).text("refresh_token");
    Map<String, String> proof = proof();
    assertThat(refresh(proof, token).status()).isEqualTo(200);
    assertThat(refresh(proof, token).error()).isEqualTo(USED);
    assertThat(refresh(proof(), token).status()).as("a bound one stays").isEqualTo(200);
  }

  @Test
  void aRequestPushedForAnotherKeyLeavesNoMark() {
    OAuthApp app = new OAuthApp();
    app.methods = Set.of(Method.NONE);
    CountingStores written = new CountingStores(new MemoryStores(time));
    Idp idp = new Idp(time, written, SealingKey.inMemory(new SecureRandom()), OAuthApp.realm(app));
    TestBrowser client = idp.browser();
    client.headers = world.proved(Map.of(), KEY, "POST", "oauth/par", "");
    EdgeReply refused = client.post(CertifiedClient.PAR, app.request("dpop_jkt", "A".repeat(43)));
    assertThat(OAuthApp.json(refused).path("error").asString()).isEqualTo("invalid_dpop_proof");
    assertThat(written.writes).isEmpty();
    assertThat(client.post(CertifiedClient.PAR, app.request()).status()).as("the proof was not used").isEqualTo(201);
    EdgeReply again = client.post(CertifiedClient.PAR, app.request());
    assertThat(OAuthApp.json(again).path("error_description").asString()).isEqualTo("DPoP: it was used before");
    assertThat(written.writes).containsExactly(MARK, "oauth-pushed-requests put");
  }
}
