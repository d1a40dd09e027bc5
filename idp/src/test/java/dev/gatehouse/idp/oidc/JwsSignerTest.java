package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.jose.JwkSets;
import java.util.List;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.Base64URL;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.KeyFolder;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our tokens, read by another JOSE library with the keys of our jwks_uri. */
class JwsSignerTest {

  private static final byte[] CLAIMS = "{\"sub\":\"alice\",\"name\":\"Ängström\"}".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path data;
  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final Realm realm = TestRealms.demo();

  @BeforeAll
  static void provider() {
    CryptoProviders.install();
  }

  private FileKeyRings rings() {
    return new FileKeyRings(data, time, new SecureRandom());
  }

  @ParameterizedTest
  @EnumSource(names = "HS256", mode = EnumSource.Mode.EXCLUDE)
  void everyAlgorithmIsVerifiedWithThePublishedKey(JwsName algorithm) throws Exception {
    FileKeyRings rings = rings();
    String token = new JwsSigner(rings).sign(realm, algorithm, "at+jwt", CLAIMS);
    JWSObject read = JWSObject.parse(token);
    assertThat(read.getHeader().getAlgorithm().getName()).isEqualTo(algorithm.value());
    assertThat(read.getHeader().getType().getType()).isEqualTo("at+jwt");
    assertThat(read.getPayload().toBytes()).isEqualTo(CLAIMS);
    JWKSet published = JWKSet.parse(JwkSets.of(JwksEndpoint.published(rings.of(realm)), List.of()));
    JWK jwk = published.getKeyByKeyId(read.getHeader().getKeyID());
    assertThat(verifies(read, token, jwk, rings)).isTrue();
    JwsVerifier reader = new JwsVerifier(rings);
    assertThat(reader.read(realm, "at+jwt", token)).hasValue(CLAIMS);
    assertThat(reader.read(realm, "JWT", token)).as("another type").isEmpty();
    assertThat(reader.read(TestRealms.change(realm).name("other").realm(), "at+jwt", token)).as("another realm").isEmpty();
  }

  /** The library needs another library for Ed25519; the platform does not. */
  private boolean verifies(JWSObject read, String token, JWK jwk, FileKeyRings rings) throws Exception {
    if (jwk.getKeyType().getValue().equals("OKP")) {
      PublicKey key =
          JwksEndpoint.published(rings.of(realm)).stream()
              .filter(published -> published.id().equals(jwk.getKeyID()))
              .map(VerificationKey::certificate)
              .findFirst()
              .orElseThrow()
              .getPublicKey();
      assertThat(key.getEncoded()).endsWith(jwk.toOctetKeyPair().getX().decode());
      Signature signature = Signature.getInstance("Ed25519", "SunEC");
      signature.initVerify(key);
      int dot = token.lastIndexOf('.');
      signature.update(token.substring(0, dot).getBytes(StandardCharsets.US_ASCII));
      return signature.verify(new Base64URL(token.substring(dot + 1)).decode());
    }
    JWSVerifier verifier =
        jwk.getKeyType().getValue().equals("RSA")
            ? new RSASSAVerifier(jwk.toRSAKey())
            : new ECDSAVerifier(jwk.toECKey());
    return read.verify(verifier);
  }

  @Test
  void manyAtOnceDoNotDisturbEachOther() throws Exception {
    FileKeyRings rings = rings();
    JwsSigner signer = new JwsSigner(rings);
    signer.sign(realm, JwsName.ES256, "JWT", CLAIMS);
    List<Future<String>> tokens = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        byte[] claims = ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8);
        Callable<String> sign = () -> signer.sign(realm, JwsName.ES256, "JWT", claims);
        tokens.add(threads.submit(sign));
      }
    }
    JWKSet published = JWKSet.parse(JwkSets.of(JwksEndpoint.published(rings.of(realm)), List.of()));
    for (int i = 0; i < tokens.size(); i++) {
      JWSObject read = JWSObject.parse(tokens.get(i).get());
      assertThat(read.getPayload().toString()).isEqualTo("{\"n\":" + i + "}");
      assertThat(read.verify(new ECDSAVerifier(published.getKeyByKeyId(read.getHeader().getKeyID()).toECKey()))).isTrue();
    }
  }

  @Test
  void aKeyThatTakesItsTurnIsPublishedBeforeAndAfter() {
    FileKeyRings rings = rings();
    JwsSigner signer = new JwsSigner(rings);
    String first = kid(signer.sign(realm, JwsName.ES256, "JWT", CLAIMS));
    KeyFolder folder = rings().folder(realm, KeyUse.IDP_TOKENS_P256).orElseThrow();
    KeyFolder.Step.Done prepared = (KeyFolder.Step.Done) folder.prepare();
    String second = prepared.ring().next().orElseThrow().id();
    time.advance(Duration.ofSeconds(3));
    assertThat(kids(rings)).contains(first, second);
    assertThat(kid(signer.sign(realm, JwsName.ES256, "JWT", CLAIMS))).isEqualTo(first);
    folder.promote();
    time.advance(Duration.ofSeconds(3));
    assertThat(kid(signer.sign(realm, JwsName.ES256, "JWT", CLAIMS))).isEqualTo(second);
    assertThat(kids(rings)).contains(first, second);
    folder.retire();
    time.advance(Duration.ofSeconds(3));
    assertThat(kids(rings)).contains(second).doesNotContain(first);
  }

  @Test
  void noTokenOfOursIsSignedByASecret() {
    JwsSigner signer = new JwsSigner(rings());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> signer.sign(realm, JwsName.HS256, "JWT", CLAIMS))
        .withMessageContaining("secrets");
  }

  private List<String> kids(FileKeyRings rings) {
    return JwksEndpoint.published(rings.of(realm)).stream().map(VerificationKey::id).toList();
  }

  private static String kid(String token) {
    try {
      return JWSObject.parse(token).getHeader().getKeyID();
    } catch (java.text.ParseException e) {
      throw new AssertionError(e);
    }
  }
}
