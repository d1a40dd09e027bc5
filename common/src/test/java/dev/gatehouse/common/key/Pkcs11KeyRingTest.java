package dev.gatehouse.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.jose.SignedJwts;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.pkcs11.SoftHsm;
import dev.gatehouse.common.pkcs11.TokenUnavailable;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken.State;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken.Use;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.signature.Crypto;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rings of realms whose keys are in a token of SoftHSM. */
@Timeout(120)
class Pkcs11KeyRingTest {

  private static final byte[] TEXT = "text".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path data = Path.of("");
  private final TestTime time = new TestTime();
  private Pkcs11Tokens tokens = Pkcs11Tokens.none();

  private static final String LABEL = "rings";

  @BeforeAll
  static void makeToken() {
    assumeThat(SoftHsm.isInstalled()).isTrue();
    String slot = SoftHsm.token(LABEL);
    for (String key : List.of("old", "now", "next")) {
      SoftHsm.generate(slot, key, List.of("-keyalg", "RSA", "-keysize", "2048"), false);
    }
    SoftHsm.generate(slot, "p256", List.of("-keyalg", "EC", "-groupname", "secp256r1"), false);
  }

  @BeforeEach
  void open() throws IOException {
    Files.writeString(data.resolve("pin"), SoftHsm.PIN);
    tokens = new Pkcs11Tokens(List.of(SoftHsm.config(LABEL, data.resolve("pin"))), data, Map.of(), time);
  }

  @AfterEach
  void close() {
    tokens.close();
  }

  private static KeyInToken key(Use use, State state, String label) {
    return new KeyInToken("hsm", use, state, label, Optional.empty());
  }

  private KeyRing ring(boolean isFormerKept, KeyInToken... keys) {
    Realm demo = TestRealms.demo();
    KeyConfig config = new KeyConfig(KeyAlgorithm.RSA_2048, Optional.empty(), true, List.of(keys), isFormerKept);
    Realm realm =
        new Realm(
            demo.name(), demo.revision(), demo.brand(), config, demo.idp(), demo.sp(), demo.directory(), demo.parties(), demo.gateway(),
            demo.federation());
    return new FileKeyRings(new FileKeyPlace(data), time, new SecureRandom(), tokens).of(realm);
  }

  private static List<String> names(List<VerificationKey> keys) {
    return keys.stream().map(key -> key.certificate().getSubjectX500Principal().getName()).toList();
  }

  @Test
  void theCurrentKeySignsAndItsNeighboursArePublished() {
    KeyRing ring =
        ring(
            false, key(Use.SIGNING, State.PREVIOUS, "old"), key(Use.SIGNING, State.NEXT, "next"), key(Use.SIGNING, State.CURRENT, "now"));
    SigningKey current = ring.current(KeyUse.IDP_SIGNING);
    byte[] signed = Crypto.sign(current, TEXT);
    assertThat(Crypto.verifies(SignatureAlgorithm.RSA_SHA256, current.certificate().getPublicKey(), TEXT, signed)).isTrue();
    assertThat(names(ring.published(KeyUse.IDP_SIGNING))).containsExactly("CN=now", "CN=next", "CN=old");
    assertThat(ring.published(KeyUse.IDP_TOKENS_RSA)).singleElement().returns("CN=Gatehouse demo idp-tokens-rsa", k -> names(List.of(k)).getFirst());
    assertThat(ring.current(KeyUse.SP_SIGNING)).isEqualTo(current);
  }

  @Test
  void tokensAreSignedWithTheIdOfTheirKey() throws Exception {
    KeyRing ring = ring(false, key(Use.IDENTITY_RSA, State.CURRENT, "now"), key(Use.SIGNING, State.CURRENT, "p256"));
    SigningKey key = ring.current(KeyUse.SP_TOKENS_RSA);
    JWSObject read = JWSObject.parse(SignedJwts.sign(key, null, Map.of("sub", "alice")));
    assertThat(read.getHeader().getKeyID()).isEqualTo(ring.published(KeyUse.SP_TOKENS_RSA).getFirst().id());
    assertThat(read.verify(new RSASSAVerifier((RSAPublicKey) key.certificate().getPublicKey()))).isTrue();
    SigningKey p256 = ring.current(KeyUse.IDP_SIGNING);
    assertThat(Crypto.verifies(SignatureAlgorithm.ECDSA_SHA256, p256.certificate().getPublicKey(), TEXT, Crypto.sign(p256, TEXT))).isTrue();
  }

  @Test
  void formerKeysInFilesArePublishedOnlyWhereTheyAreKept() {
    SigningKey made = ring(false).current(KeyUse.IDP_TOKENS_RSA);
    KeyInToken now = key(Use.TOKENS_RSA, State.CURRENT, "now");
    assertThat(names(ring(false, now).published(KeyUse.IDP_TOKENS_RSA))).containsExactly("CN=now");
    assertThat(ring(true, now).published(KeyUse.IDP_TOKENS_RSA)).extracting(VerificationKey::id).contains(made.id()).hasSize(2);
    KeyRing before = ring(false, key(Use.TOKENS_RSA, State.NEXT, "next"));
    assertThat(before.current(KeyUse.IDP_TOKENS_RSA)).isEqualTo(made);
    assertThat(before.published(KeyUse.IDP_TOKENS_RSA)).hasSize(2);
  }

  @Test
  void allKeysForEncryptionDecryptAndThePreviousIsNotPublished() {
    KeyRing ring = ring(false, key(Use.ENCRYPTION, State.CURRENT, "now"), key(Use.ENCRYPTION, State.PREVIOUS, "old"));
    assertThat(names(ring.published(KeyUse.SP_ENCRYPTION))).containsExactly("CN=now");
    assertThat(ring.decryption(KeyUse.SP_ENCRYPTION)).extracting(DecryptionKey::id).hasSize(2);
  }

  @Test
  void aKeyOfAnotherKindOrNoneIsRefusedAndNoOtherTakesItsPlace() {
    assertThatThrownBy(() -> ring(false, key(Use.TOKENS_RSA, State.CURRENT, "p256")))
        .hasMessageContaining("the key p256 in the token hsm is P_256, but the use TOKENS_RSA needs RSA");
    assertThatThrownBy(() -> ring(false, key(Use.SIGNING, State.CURRENT, "none")))
        .isInstanceOf(TokenUnavailable.class).hasMessageContaining("no private key with the label none");
    assertThat(data.resolve("keys")).doesNotExist();
  }
}
