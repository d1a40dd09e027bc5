package dev.gatehouse.idp.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.key.FileKeyPlace;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.pkcs11.SoftHsm;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken.State;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken.Use;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** JWTs by keys in a token of SoftHSM. */
@Timeout(120)
class Pkcs11TokensTest {

  @TempDir private Path data = Path.of("");

  @Test
  void jwtsAreSignedAndDecryptedInTheToken() throws Exception {
    assumeThat(SoftHsm.isInstalled()).isTrue();
    String slot = SoftHsm.token("idp");
    SoftHsm.generate(slot, "rsa", List.of("-keyalg", "RSA", "-keysize", "2048"), false);
    SoftHsm.generate(slot, "p256", List.of("-keyalg", "EC", "-groupname", "secp256r1"), false);
    Files.writeString(data.resolve("pin"), SoftHsm.PIN);
    TestTime time = new TestTime();
    try (Pkcs11Tokens tokens = new Pkcs11Tokens(List.of(SoftHsm.config("idp", data.resolve("pin"))), data, Map.of(), time)) {
      FileKeyRings rings = new FileKeyRings(new FileKeyPlace(data), time, new SecureRandom(), tokens);
      Realm realm = realm();
      for (JwsName algorithm : List.of(JwsName.RS256, JwsName.PS256, JwsName.ES256)) {
        VerificationKey key = rings.of(realm).published(JwsSigner.use(algorithm)).getFirst();
        JWSObject read =
            JWSObject.parse(new JwsSigner(rings).sign(realm, algorithm, "JWT", "{\"sub\":\"alice\"}".getBytes(StandardCharsets.UTF_8)));
        JWSVerifier verifier =
            algorithm == JwsName.ES256
                ? new ECDSAVerifier((ECPublicKey) key.certificate().getPublicKey())
                : new RSASSAVerifier((RSAPublicKey) key.certificate().getPublicKey());
        assertThat(read.verify(verifier)).as(algorithm.value()).isTrue();
        assertThat(read.getHeader().getKeyID()).isEqualTo(key.id());
      }

      VerificationKey key = rings.of(realm).published(KeyUse.IDP_ENCRYPTION).getFirst();
      JWEObject hint =
          new JWEObject(
              new JWEHeader.Builder(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A256GCM).keyID(key.id()).build(), new Payload("an ID token"));
      hint.encrypt(new RSAEncrypter((RSAPublicKey) key.certificate().getPublicKey()));
      assertThat(new EncryptedHints(rings).open(realm, hint.serialize())).contains("an ID token");
      String[] parts = hint.serialize().split("\\.", -1);
      parts[1] = parts[1].substring(0, 20) + (parts[1].charAt(20) == 'A' ? "B" : "A") + parts[1].substring(21);
      assertThat(new EncryptedHints(rings).open(realm, String.join(".", parts))).isEmpty();
      for (int empty = 1; empty < parts.length; empty++) {
        String[] some = hint.serialize().split("\\.", -1);
        some[empty] = "";
        assertThat(new EncryptedHints(rings).open(realm, String.join(".", some))).as("without part " + empty).isEmpty();
      }
    }
  }

  private static Realm realm() {
    Realm demo = TestRealms.demo();
    List<KeyInToken> keys =
        List.of(
            new KeyInToken("hsm", Use.TOKENS_RSA, State.CURRENT, "rsa", Optional.empty()),
            new KeyInToken("hsm", Use.TOKENS_P256, State.CURRENT, "p256", Optional.empty()),
            new KeyInToken("hsm", Use.ENCRYPTION, State.CURRENT, "rsa", Optional.empty()));
    KeyConfig config = new KeyConfig(KeyAlgorithm.RSA_2048, Optional.empty(), true, keys, false);
    return new Realm(
        demo.name(), demo.revision(), demo.brand(), config, demo.idp(), demo.sp(), demo.directory(), demo.parties(), demo.gateway(),
        demo.federation());
  }
}
