package dev.gatehouse.idp.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.TokenKeyRing;
import dev.gatehouse.common.key.TokenKeys;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 28 and 29: header contents that an attacker writes. */
class JwsVerifierAttackTest {

  private static final String CLAIMS = "{\"sub\":\"alice\"}";

  private final Realm realm = TestRealms.demo();
  private final KeyRings keys = r -> new TokenKeyRing();
  private final JwsVerifier reader = new JwsVerifier(keys);
  private final String token =
      new JwsSigner(keys).sign(realm, JwsName.RS256, "JWT", CLAIMS.getBytes(StandardCharsets.UTF_8));
  private final String kid = TokenKeys.of(KeyUse.IDP_TOKENS_RSA).id();

  @Test
  void theTokenItselfIsOurs() {
    assertThat(reader.read(realm, "JWT", token)).hasValue(CLAIMS.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'alg':'none','typ':'JWT','kid':'KID'}",
        "{'alg':'None','typ':'JWT','kid':'KID'}",
        "{'alg':'nOnE','typ':'JWT'}",
        "{'alg':'RS256','typ':'JWT','kid':'../../etc/passwd'}",
        "{'alg':'RS256','typ':'JWT','kid':'x\\u0027 OR 1=1'}",
        "{'alg':'RS256','typ':'JWT','kid':'KID','jku':'http://127.0.0.1:1/jwks'}",
        "{'alg':'RS256','typ':'JWT','kid':'KID','x5u':'http://127.0.0.1:1/cert'}",
        "{'alg':'RS256','typ':'JWT','kid':'KID','jwk':{'kty':'oct','k':'AA'}}",
        "{'alg':'RS256','typ':'JWT','kid':'KID','x5c':['AA']}",
        "{'alg':'RS256','typ':'JWT','kid':'KID','crit':['unknown'],'unknown':1}",
        "{'alg':'RS256','typ':'JWT','kid':'KID','b64':false,'crit':['b64']}",
        "{'alg':'PBES2-HS256+A128KW','enc':'A128GCM','p2c':2147483647,'p2s':'AA'}",
        "{'alg':'dir','enc':'A128GCM','zip':'DEF'}",
      })
  void aHeaderThatIsNotOursIsNobodys(String header) {
    String forged = base64(header.replace('\'', '"').replace("KID", kid)) + token.substring(token.indexOf('.'));
    assertThat(reader.read(realm, "JWT", forged)).isEmpty();
    assertThat(reader.read(realm, "JWT", forged.substring(0, forged.lastIndexOf('.') + 1))).as("without signature").isEmpty();
    assertThat(reader.read(realm, "JWT", forged + ".AA.AA")).as("as JWE").isEmpty();
  }

  /** RS256 changed to HS256: the public key as secret. */
  @Test
  void thePublicKeyIsNoSecret() throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    byte[] publicKey = TokenKeys.of(KeyUse.IDP_TOKENS_RSA).certificate().getPublicKey().getEncoded();
    mac.init(new SecretKeySpec(publicKey, "HmacSHA256"));
    String input = base64("{\"alg\":\"HS256\",\"typ\":\"JWT\",\"kid\":\"" + kid + "\"}") + "." + base64(CLAIMS);
    byte[] value = mac.doFinal(input.getBytes(StandardCharsets.US_ASCII));
    String forged = input + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(value);
    assertThat(reader.read(realm, "JWT", forged)).isEmpty();
  }

  @Test
  void otherClaimsUnderTheSameSignatureAreNotOurs() {
    String[] parts = token.split("\\.");
    assertThat(reader.read(realm, "JWT", parts[0] + "." + base64("{\"sub\":\"bob\"}") + "." + parts[2])).isEmpty();
  }

  /** Each token has only one encoding: nobody can bypass a list of revoked ones. */
  @ParameterizedTest
  @ValueSource(strings = {"TOKEN=", "TOKEN==", "TOKEN.", ".TOKEN", "TOKEN ", "TOKEN\n", "", ".", "..", "...", "a.b", "TOKEN*"})
  void otherSpellingsAreRefused(String form) {
    assertThat(reader.read(realm, "JWT", form.replace("TOKEN", token))).isEmpty();
  }

  /** The last character of a signature of 256 bytes has four unused bits. */
  @Test
  void theBitsThatSayNothingAreZero() {
    char last = token.charAt(token.length() - 1);
    assertThat(reader.read(realm, "JWT", token.substring(0, token.length() - 1) + (char) (last + 1))).isEmpty();
  }

  @Test
  void lengthIsBounded() {
    assertThat(reader.read(realm, "JWT", token.split("\\.")[0] + "." + "A".repeat(40_000) + ".AA")).isEmpty();
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
