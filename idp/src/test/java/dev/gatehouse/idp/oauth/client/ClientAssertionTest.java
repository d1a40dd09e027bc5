package dev.gatehouse.idp.oauth.client;

import static dev.gatehouse.idp.oauth.client.TestClients.SECRET;
import static dev.gatehouse.idp.oauth.client.TestClients.passed;
import static dev.gatehouse.idp.oauth.client.TestClients.post;
import static dev.gatehouse.idp.oauth.client.TestClients.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationContext;

/** SECURITY-CASES 30, and 28 for signatures of clients. */
class ClientAssertionTest {

  private static final TestKey RSA = TestKey.rsa("rsa");
  private static final TestKey EC = TestKey.p256("ec");
  private static final String ISSUER = TestRealms.IDP_ENTITY;

  private final TestTime time = new TestTime();
  private final ApplicationContext services = TestClients.services(time);
  private final Realm realm =
      TestClients.realm(
          TestClients.keys("signer", Method.PRIVATE_KEY_JWT, RSA),
          TestClients.keys("other", Method.PRIVATE_KEY_JWT, EC),
          TestClients.secret("hmac", Method.SECRET_JWT),
          TestClients.secret("basic", Method.SECRET_BASIC),
          onlyPs256());

  private static ClientConfig onlyPs256() {
    Requests usual = Requests.USUAL;
    return TestClients.client(
        "ps256",
        new ClientAuthentication(Set.of(Method.PRIVATE_KEY_JWT), Optional.empty(), Optional.empty()),
        Optional.of(new Keys.Jwks(RSA.jwks())),
        new Requests(
            true, false, false, List.of(), Optional.empty(), Optional.of(JwsName.PS256), usual.defaultMaxAge(), false,
            List.of()));
  }

  private Map<String, Object> claims(String client) {
    long now = time.instant().getEpochSecond();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", client);
    claims.put("sub", client);
    claims.put("aud", ISSUER);
    claims.put("iat", now);
    claims.put("exp", now + 60);
    claims.put("jti", UUID.randomUUID().toString());
    return claims;
  }

  private Result<AuthenticatedClient, OAuthError> ask(String assertion) {
    return ask("oauth/token", assertion, "");
  }

  private Result<AuthenticatedClient, OAuthError> ask(String path, String assertion, String more) {
    return services.getBean(ClientAuthentications.class)
        .authenticate(
            post(realm, path, Headers.empty()),
            Parameters.parse(
                "client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_assertion="
                    + assertion + more));
  }

  private String refused(String name, Object value) {
    Map<String, Object> claims = claims("signer");
    claims.put(name, value);
    return refusal(ask(RSA.sign(JwsName.RS256, claims)));
  }

  private String refusedWithout(String name) {
    Map<String, Object> claims = claims("signer");
    claims.remove(name);
    return refusal(ask(RSA.sign(JwsName.RS256, claims)));
  }

  @Test
  void byItsKeyOrItsSecret() {
    assertThat(passed(ask(RSA.sign(JwsName.RS256, claims("signer")))).method()).isEqualTo(Method.PRIVATE_KEY_JWT);
    assertThat(passed(ask(RSA.sign(JwsName.PS256, claims("signer")))).client().id()).isEqualTo("signer");
    assertThat(passed(ask(EC.sign(JwsName.ES256, claims("other")))).client().id()).isEqualTo("other");
    String hmac = TestKey.hmac(SECRET.getBytes(StandardCharsets.UTF_8), Map.of("alg", "HS256"), claims("hmac"));
    assertThat(passed(ask(hmac)).method()).isEqualTo(Method.SECRET_JWT);
  }

  @Test
  void theAudienceIsTheIssuerOrTheEndpointAndNobodyElse() {
    Map<String, Object> claims = claims("signer");
    for (Object good : List.of(ISSUER, ISSUER + "/oauth/token", ISSUER + "/oauth/par", List.of(ISSUER, ISSUER + "/oauth/token"))) {
      claims.put("aud", good);
      claims.put("jti", UUID.randomUUID().toString());
      passed(ask("oauth/par", RSA.sign(JwsName.RS256, claims), ""));
    }
    String problem = "invalid_client: client_assertion: its audience is not this issuer alone";
    for (Object bad : List.of("https://other.example", ISSUER + "/", ISSUER + "/oauth/introspect", TestRealms.IDP + "/realms/other",
        List.of(ISSUER, "https://other.example"), List.of())) {
      assertThat(refused("aud", bad)).as(bad.toString()).isEqualTo(problem);
    }
    assertThat(refusedWithout("aud")).isEqualTo(problem);
  }

  @Test
  void countsOnce() {
    String assertion = RSA.sign(JwsName.RS256, claims("signer"));
    passed(ask(assertion));
    assertThat(refusal(ask(assertion))).isEqualTo("invalid_client: client_assertion: it was used before");
    assertThat(refusedWithout("jti")).isEqualTo("invalid_client: client_assertion: it has no jti of 1 to 256 characters");
    assertThat(refused("jti", "x".repeat(300))).isEqualTo("invalid_client: client_assertion: it has no jti of 1 to 256 characters");
  }

  @Test
  void theSameIdOfAnotherClientIsAnotherAssertion() {
    Map<String, Object> mine = claims("signer");
    Map<String, Object> yours = claims("other");
    yours.put("jti", mine.get("jti"));
    passed(ask(RSA.sign(JwsName.RS256, mine)));
    passed(ask(EC.sign(JwsName.ES256, yours)));
  }

  @Test
  void lifeIsShort() {
    long now = time.instant().getEpochSecond();
    assertThat(refused("exp", now - 61)).isEqualTo("invalid_client: client_assertion: it has expired, or has no exp");
    assertThat(refusedWithout("exp")).isEqualTo("invalid_client: client_assertion: it has expired, or has no exp");
    assertThat(refused("exp", now + 3600)).isEqualTo("invalid_client: client_assertion: it is valid for more than five minutes");
    assertThat(refused("exp", 253_402_300_000L)).isEqualTo("invalid_client: client_assertion: it is valid for more than five minutes");
    assertThat(refused("nbf", now + 120)).isEqualTo("invalid_client: client_assertion: it is not valid yet");
    assertThat(refused("iat", now + 120)).isEqualTo("invalid_client: client_assertion: it is not valid yet");
  }

  /** FAPI 2.0 Security Profile (Final) 5.3.2.1, item 13: clients' clocks may be ahead by some seconds. */
  @Test
  void aClockThatIsAMinuteAheadIsBorneAndNoMore() {
    long now = time.instant().getEpochSecond();
    for (String name : List.of("nbf", "iat")) {
      for (int ahead : List.of(8, 60)) {
        Map<String, Object> claims = claims("signer");
        claims.put(name, now + ahead);
        claims.put("exp", now + 120);
        passed(ask(RSA.sign(JwsName.RS256, claims)));
      }
      assertThat(refused(name, now + 61)).isEqualTo("invalid_client: client_assertion: it is not valid yet");
    }
  }

  @Test
  void issuerAndSubjectAreTheClient() {
    String problem = "invalid_client: client_assertion: iss and sub are not both the ID of a client that we know";
    assertThat(refused("iss", "other")).isEqualTo(problem);
    assertThat(refused("sub", "nobody")).isEqualTo(problem);
    assertThat(refusedWithout("sub")).isEqualTo(problem);
    assertThat(refusedWithout("iss")).isEqualTo(problem);
    assertThat(refusal(ask("oauth/token", RSA.sign(JwsName.RS256, claims("signer")), "&client_id=other")))
        .isEqualTo("invalid_client: client_id differs from that in the assertion");
  }

  @Test
  void anothersKeyIsNoKey() {
    assertThat(refusal(ask(RSA.sign(JwsName.RS256, claims("other")))))
        .isEqualTo("invalid_client: client_assertion: its signature is not the client's");
    assertThat(refusal(ask(TestKey.rsa("rsa").sign(JwsName.RS256, claims("signer")))))
        .isEqualTo("invalid_client: client_assertion: its signature is not the client's");
  }

  @Test
  void onlyTheMethodAndTheAlgorithmThatWereRegistered() {
    byte[] publicKey = RSA.pair().getPublic().getEncoded();
    assertThat(refusal(ask(TestKey.hmac(publicKey, Map.of("alg", "HS256"), claims("signer")))))
        .as("RS256 turned HS256")
        .isEqualTo("invalid_client: client_assertion: the client is not registered for client_secret_jwt");
    assertThat(refusal(ask(TestKey.hmac(SECRET.getBytes(StandardCharsets.UTF_8), Map.of("alg", "HS256"), claims("basic")))))
        .isEqualTo("invalid_client: client_assertion: the client is not registered for client_secret_jwt");
    assertThat(refusal(ask(RSA.sign(JwsName.RS256, claims("ps256")))))
        .isEqualTo("invalid_client: client_assertion: its algorithm is not the one that the client is registered for");
    passed(ask(RSA.sign(JwsName.PS256, claims("ps256"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dpop+jwt", "oauth-authz-req+jwt", "at+jwt", "logout+jwt", "application/at+jwt"})
  void jwtsOfOtherTypesAreNone(String type) {
    assertThat(refusal(ask(RSA.sign(JwsName.RS256, Map.of("alg", "RS256", "typ", type), claims("signer")))))
        .isEqualTo("invalid_client: client_assertion: it is a JWT of another type");
  }

  @Test
  void anUnsignedOneIsNone() {
    String[] parts = RSA.sign(JwsName.RS256, Map.of("alg", "none"), claims("signer")).split("\\.");
    assertThat(refusal(ask(parts[0] + "." + parts[1] + ".")))
        .isEqualTo("invalid_client: client_assertion: the algorithm of the JWT is not one of ours");
  }

  @Test
  void bothParametersBelongTogether() {
    Result<AuthenticatedClient, OAuthError> outcome =
        services.getBean(ClientAuthentications.class)
            .authenticate(post(realm, "oauth/token", Headers.empty()), Parameters.parse("client_assertion=a"));
    assertThat(refusal(outcome)).isEqualTo("invalid_request: client_assertion and client_assertion_type belong together");
    Result<AuthenticatedClient, OAuthError> saml =
        services.getBean(ClientAuthentications.class)
            .authenticate(
                post(realm, "oauth/token", Headers.empty()),
                Parameters.parse("client_assertion=a&client_assertion_type=urn:ietf:params:oauth:client-assertion-type:saml2-bearer"));
    assertThat(refusal(saml)).isEqualTo("invalid_client: the client_assertion_type is not one of ours");
  }
}
