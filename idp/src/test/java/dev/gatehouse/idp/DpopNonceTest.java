package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.DpopProofs;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.idp.TokenWorld.Answer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** RFC 9449, sections 8 and 9: {@code binding: dpopNonce}. */
final class DpopNonceTest {

  private static final TestKey KEY = TestKey.p256("key");
  private static final String TOKEN = "oauth/token";
  private static final String USE_NONCE =
      "use_dpop_nonce: DPoP: nonce is missing, or not one of the last five minutes";

  private final TestClient web = TestClient.web("web").bound(Binding.DPOP_NONCE);
  private final TestClient usual = TestClient.web("usual").bound(Binding.DPOP);
  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final SealingKey sealing = SealingKey.inMemory(new SecureRandom());
  private final TokenWorld world = node();

  private TokenWorld node() {
    return new TokenWorld(TestRealms.demo(), time, new MemoryStores(time), sealing, web, usual);
  }

  private Answer redeem(TokenWorld node, String client, String code, String nonce) {
    return node.send(
        "POST", TOKEN, node.proved(TokenWorld.basic(client), KEY, "POST", TOKEN, "", nonce),
        TestBrowser.encode(
            TokenWorld.form(
                "grant_type", "authorization_code", "code", code, "redirect_uri", TokenWorld.CALLBACK, "code_verifier",
                TokenWorld.VERIFIER)));
  }

  private static String nonce(Answer answer) {
    return answer.header("DPoP-Nonce").orElseThrow();
  }

  @Test
  void aProofWithoutNonceIsToldOne() {
    String code = world.code(world.agreed("web", "read"));
    Answer first = redeem(world, "web", code, "");
    assertThat(first.status()).isEqualTo(400);
    assertThat(first.error()).isEqualTo(USE_NONCE);
    Answer second = redeem(world, "web", code, nonce(first));
    assertThat(second.status()).as("the code was not touched").isEqualTo(200);
    assertThat(second.text("token_type")).isEqualTo("DPoP");
    assertThat(nonce(second)).as("for the next one").isEqualTo(nonce(first));
    Answer other = redeem(world, "usual", world.code(world.agreed("usual", "read")), "");
    assertThat(other.status()).isEqualTo(200);
    assertThat(other.header("DPoP-Nonce")).isEmpty();
  }

  @Test
  void oneCountsForFiveMinutesAtEachNodeOfTheRealm() {
    String nonce = nonce(redeem(world, "web", "x", ""));
    TokenWorld other = node();
    time.advance(Duration.ofMinutes(4));
    assertThat(redeem(other, "web", other.code(other.agreed("web", "read")), nonce).status()).isEqualTo(200);
    time.advance(Duration.ofMinutes(2));
    Answer late = redeem(world, "web", "x", nonce);
    assertThat(late.error()).isEqualTo(USE_NONCE);
    assertThat(nonce(late)).isNotEqualTo(nonce);
    for (String made : new String[] {"x", nonce.substring(1), nonce + "0", "0".repeat(32)}) {
      assertThat(redeem(world, "web", "x", made).error()).isEqualTo(USE_NONCE);
    }
    TokenWorld stranger =
        new TokenWorld(
            TestRealms.demo(), time, new MemoryStores(time), SealingKey.inMemory(new SecureRandom()), web, usual);
    assertThat(redeem(world, "web", "x", nonce(redeem(stranger, "web", "x", ""))).error()).isEqualTo(USE_NONCE);
  }

  @Test
  void refreshAndTokenInfoNeedOneToo() {
    String nonce = nonce(redeem(world, "web", "x", ""));
    Answer tokens = redeem(world, "web", world.code(world.agreed("web", "read")), nonce);
    String refresh =
        TestBrowser.encode(TokenWorld.form("grant_type", "refresh_token", "refresh_token", tokens.text("refresh_token")));
    assertThat(
            world.send("POST", TOKEN, world.proved(TokenWorld.basic("web"), KEY, "POST", TOKEN, ""), refresh).error())
        .isEqualTo(USE_NONCE);
    assertThat(
            world.send("POST", TOKEN, world.proved(TokenWorld.basic("web"), KEY, "POST", TOKEN, "", nonce), refresh)
                .status())
        .isEqualTo(200);
    String access = tokens.text("access_token");
    Map<String, String> bare = Map.of("Authorization", "DPoP " + access);
    Answer without = world.send("GET", "oauth/tokeninfo", world.proved(bare, KEY, "GET", "oauth/tokeninfo", access), "");
    assertThat(without.error()).isEqualTo(USE_NONCE);
    Map<String, String> proved = world.proved(bare, KEY, "GET", "oauth/tokeninfo", access, nonce(without));
    assertThat(world.send("GET", "oauth/tokeninfo", proved, "").status()).isEqualTo(200);
  }

  @Test
  void pushedRequestsAndUserInfoNeedOneToo() {
    OAuthApp app = new OAuthApp();
    app.tokens = web.config().tokens();
    Idp idp = new Idp(OAuthApp.realm(app));
    EdgeReply refused = push(idp, app, "");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(OAuthApp.json(refused).path("error").asString()).isEqualTo("use_dpop_nonce");
    String nonce = refused.headers().first("DPoP-Nonce").orElseThrow();
    EdgeReply pushed = push(idp, app, nonce);
    assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
    assertThat(pushed.headers().first("DPoP-Nonce")).contains(nonce);
    String uri = OAuthApp.json(pushed).path("request_uri").asString();
    EdgeReply answer =
        OAuthApp.signedIn(idp, "alice").get(OAuthApp.AUTHORIZE + "?client_id=" + app.id + "&request_uri=" + uri);
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", OAuthApp.query(answer).one("code").orElseThrow());
    form.put("redirect_uri", OAuthApp.CALLBACK);
    form.put("code_verifier", OAuthApp.VERIFIER);
    TestBrowser server = app.server(idp);
    server.headers = with(server.headers, "DPoP", proof(idp, "POST", CertifiedClient.TOKEN, nonce, ""));
    String token = OAuthApp.json(server.post(CertifiedClient.TOKEN, form)).path("access_token").asString();
    EdgeReply without = userInfo(idp, token, "");
    assertThat(without.status()).isEqualTo(401);
    assertThat(without.headers().all("WWW-Authenticate"))
        .singleElement()
        .asString()
        .startsWith("DPoP realm=\"demo\", error=\"use_dpop_nonce\"")
        .contains("algs=");
    EdgeReply told = userInfo(idp, token, without.headers().first("DPoP-Nonce").orElseThrow());
    assertThat(told.status()).as(told.text()).isEqualTo(200);
  }

  private static EdgeReply push(Idp idp, OAuthApp app, String nonce) {
    TestBrowser server = app.server(idp);
    server.headers = with(server.headers, "DPoP", proof(idp, "POST", CertifiedClient.PAR, nonce, ""));
    return server.post(CertifiedClient.PAR, app.request());
  }

  private static EdgeReply userInfo(Idp idp, String token, String nonce) {
    TestBrowser server = idp.browser();
    server.headers =
        Map.of(
            "Authorization", "DPoP " + token,
            "DPoP", proof(idp, "GET", CertifiedClient.USERINFO, nonce, DpopProofs.hash(token)));
    return server.get(CertifiedClient.USERINFO);
  }

  private static Map<String, String> with(Map<String, String> headers, String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return all;
  }

  private static String proof(Idp idp, String method, String path, String nonce, String hash) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("jti", UUID.randomUUID().toString());
    claims.put("htm", method);
    claims.put("htu", TestRealms.IDP + path);
    claims.put("iat", idp.time.instant().getEpochSecond());
    claims.put("nonce", nonce);
    claims.put("ath", hash);
    claims.values().removeIf(""::equals);
    return KEY.sign(JwsName.ES256, KEY.proofHeader(JwsName.ES256), claims);
  }
}
