package dev.gatehouse.idp.oauth.proof;

import static dev.gatehouse.idp.oauth.client.TestClients.passed;
import static dev.gatehouse.idp.oauth.client.TestClients.post;
import static dev.gatehouse.idp.oauth.client.TestClients.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.jose.DpopProofs;
import dev.gatehouse.common.jose.DpopProofs.Proof;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.TestClients;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 35; RFC 9449, section 4.3. */
class DpopProofTest {

  private static final TestKey EC = TestKey.p256("ec");
  private static final String TOKEN = "oauth/token";
  private static final String HTU = TestRealms.IDP_ENTITY + "/oauth/token";

  private final TestTime time = new TestTime();
  private final Realm realm = TestRealms.demo();
  private final Client client = new Client(TestClients.secret("app", Method.SECRET_BASIC), false);
  private final DpopProofCheck proofs =
      new DpopProofCheck(new MemoryStores(time).replayCache(), SealingKey.inMemory(new SecureRandom()), time);

  private Map<String, Object> claims() {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("jti", UUID.randomUUID().toString());
    claims.put("htm", "POST");
    claims.put("htu", HTU);
    claims.put("iat", time.instant().getEpochSecond());
    return claims;
  }

  private static String proof(Map<String, Object> claims) {
    return EC.sign(JwsName.ES256, EC.proofHeader(JwsName.ES256), claims);
  }

  private Result<Optional<Confirmation.Dpop>, OAuthError> ask(String proof) {
    return proofs.check(post(realm, TOKEN, Headers.of("DPoP", proof)), client, TOKEN, Optional.empty());
  }

  private String refusedWith(String name, Object value) {
    Map<String, Object> claims = claims();
    claims.put(name, value);
    return refusal(ask(proof(claims)));
  }

  private static String refused(String why) {
    return "invalid_dpop_proof: DPoP: " + why;
  }

  @Test
  void provesAKeyOfEveryType() {
    Confirmation.Dpop ec = passed(ask(proof(claims()))).orElseThrow();
    assertThat(ec.thumbprint()).isEqualTo(passed(ask(proof(claims()))).orElseThrow().thumbprint()).hasSize(43);
    TestKey ed = TestKey.ed25519("ed");
    assertThat(passed(ask(ed.sign(JwsName.EDDSA, ed.proofHeader(JwsName.EDDSA), claims())))).isPresent();
    TestKey rsa = TestKey.rsa("rsa");
    assertThat(passed(ask(rsa.sign(JwsName.PS256, rsa.proofHeader(JwsName.PS256), claims())))).isPresent();
  }

  @Test
  void noHeaderIsNoProof() {
    assertThat(passed(proofs.check(post(realm, TOKEN, Headers.empty()), client, TOKEN, Optional.empty()))).isEmpty();
    Headers two = Headers.of("DPoP", proof(claims())).and("DPoP", proof(claims()));
    assertThat(refusal(proofs.check(post(realm, TOKEN, two), client, TOKEN, Optional.empty())))
        .isEqualTo(refused("there are two DPoP headers"));
    assertThat(refusal(ask(""))).isEqualTo(refused("it is not a JWT"));
  }

  @Test
  void countsOnce() {
    String proof = proof(claims());
    passed(ask(proof));
    assertThat(refusal(ask(proof))).isEqualTo(refused("it was used before"));
    time.advance(Duration.ofSeconds(60));
    assertThat(refusal(ask(proof))).as("to its last second").isEqualTo(refused("it was used before"));
    assertThat(refusedWith("jti", "")).isEqualTo(refused("there is no jti of 1 to 256 characters"));
  }

  @Test
  void whatIsOnlyVerifiedIsNotUsed() {
    RealmRequest request = post(realm, TOKEN, Headers.of("DPoP", proof(claims())));
    Optional<Proof> verified = passed(proofs.verify(request, client, TOKEN, Optional.empty()));
    assertThat(passed(proofs.verify(request, client, TOKEN, Optional.empty()))).isPresent().isEqualTo(verified);
    assertThat(passed(proofs.use(verified))).isEqualTo(verified);
    assertThat(refusal(proofs.use(verified))).isEqualTo(refused("it was used before"));
    assertThat(passed(proofs.use(Optional.empty()))).as("where there is no proof").isEmpty();
  }

  @Test
  void isForThisMethodAndAddress() {
    assertThat(refusedWith("htm", "GET")).isEqualTo(refused("htm is not the method of this request"));
    assertThat(refusedWith("htm", "post")).isEqualTo(refused("htm is not the method of this request"));
    for (String other :
        List.of(
            "https://attacker.example/realms/demo/oauth/token",
            TestRealms.IDP_ENTITY + "/oauth/userinfo",
            TestRealms.IDP + "/realms/other/oauth/token",
            "http://idp.localhost@attacker.example/realms/demo/oauth/token",
            "http://user@idp.localhost:8080/realms/demo/oauth/token",
            "https://idp.localhost:8080/realms/demo/oauth/token",
            "/realms/demo/oauth/token",
            "")) {
      assertThat(refusedWith("htu", other)).as(other).isEqualTo(refused("htu is not the address of this request"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"?a=b", "#f"})
  void queryAndFragmentDoNotCount(String end) {
    Map<String, Object> claims = claims();
    claims.put("htu", HTU + end);
    assertThat(passed(ask(proof(claims)))).isPresent();
  }

  @Test
  void addressesAreComparedNormalised() {
    Map<String, Object> claims = claims();
    claims.put("htu", HTU.replace("http://idp.localhost", "HTTP://IDP.localhost"));
    assertThat(passed(ask(proof(claims)))).isPresent();
  }

  @Test
  void isFresh() {
    long now = time.instant().getEpochSecond();
    assertThat(refusedWith("iat", now - 61)).isEqualTo(refused("iat is not within a minute of now"));
    assertThat(refusedWith("iat", now + 61)).isEqualTo(refused("iat is not within a minute of now"));
    Map<String, Object> none = claims();
    none.remove("iat");
    assertThat(refusal(ask(proof(none)))).isEqualTo(refused("iat is not within a minute of now"));
  }

  @Test
  void atAResourceItIsForTheToken() {
    Map<String, Object> claims = claims();
    claims.put("ath", DpopProofs.hash("the-token"));
    String proof = proof(claims);
    Headers headers = Headers.of("DPoP", proof);
    assertThat(refusal(proofs.check(post(realm, TOKEN, headers), client, TOKEN, Optional.of("another"))))
        .isEqualTo(refused("ath is not of this access token"));
    assertThat(passed(proofs.check(post(realm, TOKEN, headers), client, TOKEN, Optional.of("the-token")))).isPresent();
    assertThat(refusal(proofs.check(post(realm, TOKEN, Headers.of("DPoP", proof(claims()))), client, TOKEN, Optional.of("t"))))
        .isEqualTo(refused("ath is not of this access token"));
  }

  @Test
  void isSignedWithTheKeyThatItNames() {
    assertThat(refusal(ask(TestKey.p256("other").sign(JwsName.ES256, EC.proofHeader(JwsName.ES256), claims()))))
        .isEqualTo(refused("it is not signed with the key that it names"));
    Map<String, Object> wrongType = new LinkedHashMap<>(EC.proofHeader(JwsName.ES256));
    wrongType.put("typ", "JWT");
    assertThat(refusal(ask(EC.sign(JwsName.ES256, wrongType, claims())))).isEqualTo(refused("typ is not dpop+jwt"));
    assertThat(refusal(ask(EC.sign(JwsName.ES256, Map.of("alg", "ES256", "typ", "dpop+jwt"), claims()))))
        .isEqualTo(refused("the header of the JWT has no jwk"));
    Map<String, Object> symmetric = Map.of("alg", "HS256", "typ", "dpop+jwt", "jwk", Map.of("kty", "oct", "k", "AAAA"));
    assertThat(refusal(ask(TestKey.hmac(new byte[3], symmetric, claims())))).isEqualTo(refused("a key is private or symmetric"));
    Map<String, Object> confused = new LinkedHashMap<>(EC.proofHeader(JwsName.ES256));
    confused.put("alg", "HS256");
    assertThat(refusal(ask(TestKey.hmac(EC.pair().getPublic().getEncoded(), confused, claims()))))
        .isEqualTo(refused("it is not signed with the key that it names"));
  }
}
