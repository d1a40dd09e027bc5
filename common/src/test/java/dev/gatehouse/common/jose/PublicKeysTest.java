package dev.gatehouse.common.jose;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.result.Result;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PublicKeysTest {

  private static final TestKey RSA = TestKey.rsa("rsa");

  private static String problem(Map<String, ?> key) {
    return problem(StrictJson.write(Map.of("keys", List.of(key))));
  }

  private static String problem(String jwks) {
    return switch (PublicKeys.read(jwks)) {
      case Result.Accepted<PublicKeys, String> passed -> "";
      case Result.Refused(String problem) -> problem;
    };
  }

  @Test
  void privateAndSymmetricKeysMakeTheSetFail() throws Exception {
    ECKey pair = new ECKeyGenerator(Curve.P_256).generate();
    assertThat(problem(pair.toJSONObject())).isEqualTo("a key is private or symmetric");
    assertThat(problem(Map.of("kty", "oct", "k", "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ"))).isEqualTo("a key is private or symmetric");
  }

  @Test
  void weakAndCrookedKeysMakeTheSetFail() {
    Map<String, Object> small = new LinkedHashMap<>(RSA.jwk());
    small.put("n", String.valueOf(RSA.jwk().get("n")).substring(0, 170));
    assertThat(problem(small)).isEqualTo("an RSA key has not 2048 to 8192 bits");
    Map<String, Object> one = new LinkedHashMap<>(RSA.jwk());
    one.put("e", "AQ");
    assertThat(problem(one)).isEqualTo("an RSA key has an unusual exponent");
    Map<String, Object> off = new LinkedHashMap<>(TestKey.p256("ec").jwk());
    off.put("x", TestKey.p256("other").jwk().get("x"));
    assertThat(problem(off)).as("a point that is not on the curve").isEqualTo("a key cannot be read");
  }

  @Test
  void keysOfUnknownTypesAreLeftOut() {
    String set =
        StrictJson.write(
            Map.of("keys", List.of(Map.of("kty", "PQC", "x", "y"), Map.of("kty", "OKP", "crv", "Ed448", "x", "AA"), RSA.jwk())));
    assertThat(PublicKeys.read(set)).isInstanceOfSatisfying(Result.Accepted.class, p -> assertThat(((PublicKeys) p.value()).all()).hasSize(1));
  }

  @Test
  void whatIsNoSetFails() {
    assertThat(problem("")).isEqualTo("it is not a JWK Set");
    assertThat(problem("[]")).isEqualTo("it is not a JWK Set");
    assertThat(problem("null")).isEqualTo("it is not a JWK Set");
    assertThat(problem("{\"keys\":[1]}")).isEqualTo("a key is not an object");
    assertThat(problem(StrictJson.write(Map.of("keys", Collections.nCopies(51, RSA.jwk()))))).isEqualTo("it has more than 50 keys");
  }

  @Test
  void aKeyForEncryptionVerifiesNothing() {
    Map<String, Object> key = new LinkedHashMap<>(RSA.jwk());
    key.put("use", "enc");
    String jwt = RSA.sign(JwsName.RS256, Map.of("sub", "s"));
    assertThat(verifies(key, jwt)).isFalse();
    key.put("use", "sig");
    assertThat(verifies(key, jwt)).isTrue();
    key.put("alg", "PS256");
    assertThat(verifies(key, jwt)).as("a key of another algorithm").isFalse();
  }

  private static boolean verifies(Map<String, Object> key, String jwt) {
    return PublicKeys.read(StrictJson.write(Map.of("keys", List.of(key)))) instanceof Result.Accepted(var keys)
        && ReceivedJwt.read(jwt, ReceivedJwt.OwnKey.REFUSED) instanceof Result.Accepted(var read)
        && keys.verify(read);
  }
}
