package dev.gatehouse.common.jose;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPrivateKey;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 28 and 29: accepted forms of a JWT; it never chooses its own key. */
class ReceivedJwtTest {

  private static final TestKey RSA = TestKey.rsa("rsa");
  private static final TestKey EC = TestKey.p256("ec");
  private static final TestKey ED = TestKey.ed25519("ed");
  private static final Map<String, Object> CLAIMS = Map.of("iss", "app", "exp", 1_800_000_000L);

  private static ReceivedJwt read(String text) {
    return switch (ReceivedJwt.read(text, OwnKey.REFUSED)) {
      case Result.Accepted(ReceivedJwt jwt) -> jwt;
      case Result.Refused(String problem) -> throw new AssertionError(problem);
    };
  }

  private static String problem(String text) {
    return problem(text, OwnKey.REFUSED);
  }

  private static String problem(String text, OwnKey ownKey) {
    return switch (ReceivedJwt.read(text, ownKey)) {
      case Result.Accepted<ReceivedJwt, String> passed -> throw new AssertionError("read");
      case Result.Refused(String problem) -> problem;
    };
  }

  private static PublicKeys keys(String jwks) {
    return switch (PublicKeys.read(jwks)) {
      case Result.Accepted(PublicKeys keys) -> keys;
      case Result.Refused(String problem) -> throw new AssertionError(problem);
    };
  }

  @Test
  void verifiesEveryAlgorithmOfOursWithItsKeyAlone() {
    for (JwsName algorithm : List.of(JwsName.RS256, JwsName.PS256, JwsName.ES256, JwsName.EDDSA)) {
      TestKey key = algorithm == JwsName.ES256 ? EC : algorithm == JwsName.EDDSA ? ED : RSA;
      ReceivedJwt jwt = read(key.sign(algorithm, CLAIMS));
      assertThat(keys(key.jwks()).verify(jwt)).as(algorithm.value()).isTrue();
      for (TestKey other : List.of(TestKey.rsa(key.id()), TestKey.p256(key.id()), TestKey.ed25519(key.id()))) {
        assertThat(keys(other.jwks()).verify(jwt)).as(algorithm.value() + " by another's").isFalse();
      }
      assertThat(jwt.claims().issuer()).contains("app");
      assertThat(jwt.claims().expiresAt()).contains(Instant.ofEpochSecond(1_800_000_000L));
    }
  }

  @Test
  void readsWhatNimbusSigns() throws Exception {
    SignedJWT rsa =
        new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.PS256).keyID("rsa").build(), new JWTClaimsSet.Builder().subject("s").build());
    rsa.sign(new RSASSASigner(RSA.pair().getPrivate()));
    assertThat(keys(RSA.jwks()).verify(read(rsa.serialize()))).isTrue();
    SignedJWT ec =
        new SignedJWT(new JWSHeader(JWSAlgorithm.ES256), new JWTClaimsSet.Builder().audience(List.of("a", "b")).build());
    ec.sign(new ECDSASigner((ECPrivateKey) EC.pair().getPrivate()));
    assertThat(keys(EC.jwks()).verify(read(ec.serialize()))).isTrue();
    assertThat(read(ec.serialize()).claims().audience()).containsExactly("a", "b");
  }

  @Test
  void aChangedByteIsNotSigned() {
    String jwt = EC.sign(JwsName.ES256, CLAIMS);
    String[] parts = jwt.split("\\.");
    String other = parts[0] + "." + TestKey.json(Map.of("iss", "other")) + "." + parts[2];
    assertThat(keys(EC.jwks()).verify(read(other))).isFalse();
    assertThat(keys(EC.jwks()).verify(read(parts[0] + "." + parts[1] + "." + TestKey.base64(new byte[64])))).isFalse();
    assertThat(keys(EC.jwks()).verify(read(parts[0] + "." + parts[1] + "." + TestKey.base64(new byte[3])))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "None", "NONE", "nOnE", "HS384", "RS1", "RS256 ", "ES256K", "", "dir", "PBES2-HS256+A128KW"})
  void anAlgorithmThatIsNotOursIsRefused(String algorithm) {
    String unsigned = TestKey.json(Map.of("alg", algorithm)) + "." + TestKey.json(CLAIMS) + ".";
    assertThat(problem(unsigned)).isEqualTo("the algorithm of the JWT is not one of ours");
    assertThat(problem(RSA.sign(JwsName.RS256, Map.of("alg", algorithm), CLAIMS)))
        .isEqualTo("the algorithm of the JWT is not one of ours");
  }

  @Test
  void rs256TurnedHs256IsNoSignature() {
    byte[] publicKey = RSA.pair().getPublic().getEncoded();
    String pem =
        "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(publicKey) + "\n-----END PUBLIC KEY-----\n";
    for (byte[] secret : List.of(publicKey, pem.getBytes(StandardCharsets.UTF_8), RSA.jwks().getBytes(StandardCharsets.UTF_8))) {
      ReceivedJwt forged = read(TestKey.hmac(secret, Map.of("alg", "HS256", "kid", "rsa"), CLAIMS));
      assertThat(keys(RSA.jwks()).verify(forged)).isFalse();
    }
    ReceivedJwt named = read(TestKey.hmac(publicKey, Map.of("alg", "RS256", "kid", "rsa"), CLAIMS));
    assertThat(keys(RSA.jwks()).verify(named)).isFalse();
    assertThat(named.isSignedBy(publicKey)).as("RS256 is never a secret's").isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jku", "x5u", "x5c", "crit", "b64", "zip", "enc"})
  void aHeaderThatBringsKeysOrExtensionsIsRefused(String name) {
    Map<String, Object> header = Map.of("alg", "RS256", "kid", "rsa", name, "https://attacker.example/keys");
    assertThat(problem(RSA.sign(JwsName.RS256, header, CLAIMS))).isEqualTo("the header of the JWT has " + name);
  }

  @Test
  void aKeyInTheHeaderIsForProofsAlone() {
    String proof = EC.sign(JwsName.ES256, EC.proofHeader(JwsName.ES256), CLAIMS);
    assertThat(problem(proof)).isEqualTo("the header of the JWT has jwk");
    assertThat(problem(EC.sign(JwsName.ES256, CLAIMS), OwnKey.REQUIRED)).isEqualTo("the header of the JWT has no jwk");
    assertThat(ReceivedJwt.read(proof, OwnKey.REQUIRED)).isInstanceOf(Result.Accepted.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../etc/passwd", "x' or '1'='1", "|/bin/true", "rsa\u0000"})
  void aKidIsOnlyCompared(String kid) {
    ReceivedJwt jwt = read(RSA.sign(JwsName.RS256, Map.of("alg", "RS256", "kid", kid), CLAIMS));
    assertThat(keys(RSA.jwks()).verify(jwt)).isFalse();
  }

  @Test
  void aKidThatIsNoShortTextIsRefused() {
    for (Object kid : List.of(7, List.of("rsa"), "x".repeat(300))) {
      assertThat(problem(RSA.sign(JwsName.RS256, Map.of("alg", "RS256", "kid", kid), CLAIMS)))
          .isEqualTo("the header of the JWT has a kid that is no short text");
    }
  }

  @Test
  void aJweIsRefusedBeforeAnythingIsDone() {
    // PBES2 with a count that would take hours, and a compressed one: nothing of either is looked at (SECURITY-CASES 29).
    String bomb = TestKey.json(Map.of("alg", "PBES2-HS512+A256KW", "enc", "A256GCM", "p2c", 2_000_000_000, "zip", "DEF"));
    assertThat(problem(bomb + ".a.b.c.d")).isEqualTo("the JWT is encrypted");
  }

  @ParameterizedTest
  @CsvSource({"iss,1", "sub,1", "jti,true", "exp,soon", "iat,-1", "nbf,1e30", "aud,7"})
  void aClaimOfTheWrongTypeIsRefused(String name, String json) {
    String value = json.matches("soon") ? "\"soon\"" : json;
    String jwt =
        TestKey.json(Map.of("alg", "RS256"))
            + "."
            + TestKey.base64(("{\"" + name + "\":" + value + "}").getBytes(StandardCharsets.UTF_8))
            + ".AAAA";
    assertThat(problem(jwt)).isEqualTo("the claim " + name + " has the wrong type");
  }

  @Test
  void aNameThatStandsTwiceHasNoMeaning() {
    String twice = TestKey.base64("{\"alg\":\"RS256\",\"alg\":\"HS256\"}".getBytes(StandardCharsets.UTF_8));
    assertThat(problem(twice + "." + TestKey.json(CLAIMS) + ".AAAA")).isEqualTo("the header of the JWT cannot be read");
    String claims = TestKey.base64("{\"sub\":\"alice\",\"sub\":\"bob\"}".getBytes(StandardCharsets.UTF_8));
    assertThat(problem(TestKey.json(Map.of("alg", "RS256")) + "." + claims + ".AAAA")).isEqualTo("the JWT cannot be read");
  }

  @Test
  void base64HasOneSpelling() {
    String jwt = EC.sign(JwsName.ES256, CLAIMS);
    assertThat(problem(jwt + "=")).isEqualTo("the JWT cannot be read");
    assertThat(problem(jwt + "\n")).isEqualTo("the JWT cannot be read");
    char last = jwt.charAt(jwt.length() - 1);
    String twin = jwt.substring(0, jwt.length() - 1) + (char) (last + 1);
    assertThat(problem(twin)).as("other bits that nobody reads").isEqualTo("the JWT cannot be read");
  }

  @Test
  void depthAndLengthAreBounded() {
    String deep = TestKey.base64(("{\"a\":" + "[".repeat(5000) + "]".repeat(5000) + "}").getBytes(StandardCharsets.UTF_8));
    assertThat(problem(TestKey.json(Map.of("alg", "RS256")) + "." + deep + ".AAAA")).isEqualTo("the JWT cannot be read");
    assertThat(problem("a".repeat(40_000))).isEqualTo("the JWT is too long");
  }
}
