package dev.gatehouse.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.store.Race;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileKeyRingsTest {

  @TempDir Path data;
  private final TestTime time = new TestTime();
  private final SecureRandom random = new SecureRandom();

  private FileKeyRings rings() {
    return new FileKeyRings(data, time, random);
  }

  private static Realm realm(KeyConfig keys) {
    Realm demo = TestRealms.demo();
    return new Realm(
        demo.name(), demo.revision(), demo.brand(), keys, demo.idp(), demo.sp(), demo.directory(),
        demo.parties(), demo.gateway(), demo.federation());
  }

  private static Realm made() {
    return realm(new KeyConfig(KeyAlgorithm.P_256, Optional.empty()));
  }

  private static List<String> ids(KeyRing ring) {
    return ring.published(KeyUse.IDP_SIGNING).stream().map(VerificationKey::id).toList();
  }

  private static KeyFolder.Ring done(KeyFolder.Step step) {
    assertThat(step).isInstanceOf(KeyFolder.Step.Done.class);
    return ((KeyFolder.Step.Done) step).ring();
  }

  @ParameterizedTest
  @EnumSource
  void makesAKeyOfEachAlgorithmAndKeepsIt(KeyAlgorithm algorithm) throws Exception {
    Realm realm = realm(new KeyConfig(algorithm, Optional.empty()));
    SigningKey key = rings().of(realm).current(KeyUse.IDP_SIGNING);
    assertThat(key.algorithm()).isEqualTo(algorithm);
    assertThat(key.id()).matches("[0-9a-f]{16}");
    X509Certificate certificate = key.certificate();
    certificate.verify(certificate.getPublicKey());
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=Gatehouse demo idp-signing");
    assertThat(certificate.getNotAfter().toInstant()).isAfter(time.instant().plus(Duration.ofDays(3650)));
    assertThat(certificate.getNotBefore().toInstant()).isBefore(time.instant());
    assertThat(certificate.getSerialNumber().bitLength()).isEqualTo(127);
    assertThat(certificate.getBasicConstraints()).isEqualTo(-1);

    SigningKey again = rings().of(realm).current(KeyUse.IDP_SIGNING);
    assertThat(again.id()).isEqualTo(key.id());
    assertThat(again.privateKey()).isEqualTo(key.privateKey());
  }

  @Test
  void usesAnotherKeyForEachUseAndRealm() {
    KeyRing ring = rings().of(made());
    assertThat(ring.current(KeyUse.IDP_SIGNING).id()).isNotEqualTo(ring.current(KeyUse.SP_SIGNING).id());
    assertThat(data.resolve("keys/demo/idp-signing/ring")).exists();
    assertThat(data.resolve("keys/demo/sp-signing/ring")).exists();
  }

  @Test
  void makesNoKeyThatNobodyAsksFor() {
    rings().of(made()).current(KeyUse.IDP_SIGNING);
    assertThat(data.resolve("keys/demo/sp-signing")).doesNotExist();
  }

  @Test
  void keepsKeysForTheirOwnerOnly() throws Exception {
    KeyRing ring = rings().of(made());
    rings().folder(made(), KeyUse.IDP_SIGNING).orElseThrow().prepare();
    assertThat(ring.current(KeyUse.IDP_SIGNING)).isNotNull();
    try (Stream<Path> files = Files.walk(data.resolve("keys"))) {
      for (Path file : files.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as(file.toString())
            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
        assertThat(file.getFileName().toString()).doesNotStartWith(".new");
      }
    }
  }

  @Test
  void makesOneKeyForManyWhoStartAtOnce() throws Exception {
    List<String> ids = Race.of(16, i -> () -> rings().of(made()).current(KeyUse.IDP_SIGNING).id());
    assertThat(new HashSet<>(ids)).hasSize(1);
  }

  @Test
  void rotatesThroughNextCurrentAndPrevious() {
    KeyFolder folder = rings().folder(made(), KeyUse.IDP_SIGNING).orElseThrow();
    String first = folder.load().current().id();
    String second = done(folder.prepare()).next().orElseThrow().id();
    assertThat(folder.load().current().id()).isEqualTo(first);
    assertThat(ids(rings().of(made()))).containsExactly(first, second);

    KeyFolder.Ring promoted = done(folder.promote());
    assertThat(promoted.current().id()).isEqualTo(second);
    assertThat(promoted.previous()).map(SigningKey::id).contains(first);
    assertThat(ids(rings().of(made()))).containsExactly(second, first);

    assertThat(done(folder.retire()).previous()).isEmpty();
    assertThat(ids(rings().of(made()))).containsExactly(second);
    assertThat(data.resolve("keys/demo/idp-signing/" + first + ".pem")).doesNotExist();
  }

  @Test
  void publishesCurrentThenNextThenPrevious() {
    KeyFolder folder = rings().folder(made(), KeyUse.IDP_SIGNING).orElseThrow();
    String first = folder.load().current().id();
    String second = done(folder.prepare()).next().orElseThrow().id();
    folder.promote();
    String third = done(folder.prepare()).next().orElseThrow().id();
    assertThat(ids(rings().of(made()))).containsExactly(second, third, first);
  }

  @Test
  void refusesStepsOutOfOrder() {
    KeyFolder folder = rings().folder(made(), KeyUse.IDP_SIGNING).orElseThrow();
    KeyFolder.Ring before = folder.load();
    assertThat(folder.promote()).isInstanceOf(KeyFolder.Step.Refused.class);
    assertThat(folder.retire()).isInstanceOf(KeyFolder.Step.Refused.class);
    assertThat(folder.load()).isEqualTo(before);
    folder.prepare();
    assertThat(folder.prepare()).isInstanceOf(KeyFolder.Step.Refused.class);
    folder.promote();
    folder.prepare();
    assertThat(folder.promote()).isInstanceOf(KeyFolder.Step.Refused.class);
  }

  @Test
  void takesARotationOverWhileItRuns() {
    KeyRing running = rings().of(made());
    String first = running.current(KeyUse.IDP_SIGNING).id();
    KeyFolder folder = rings().folder(made(), KeyUse.IDP_SIGNING).orElseThrow();
    folder.prepare();
    String second = done(folder.promote()).current().id();
    assertThat(running.current(KeyUse.IDP_SIGNING).id()).isEqualTo(first);
    time.advance(FileKeyRings.LOOK_AGAIN);
    assertThat(running.current(KeyUse.IDP_SIGNING).id()).isEqualTo(second);
    assertThat(ids(running)).containsExactly(second, first);
  }

  @Test
  void aClockThatIsSetBackDelaysNoRotation() {
    KeyRing running = rings().of(made());
    running.current(KeyUse.IDP_SIGNING);
    KeyFolder folder = rings().folder(made(), KeyUse.IDP_SIGNING).orElseThrow();
    folder.prepare();
    String second = done(folder.promote()).current().id();
    time.advance(Duration.ofHours(-1));
    assertThat(running.current(KeyUse.IDP_SIGNING).id()).isEqualTo(second);
  }

  @Test
  void keepsTheFormerKeysWhereAChangeCannotBeRead() throws IOException {
    KeyRing running = rings().of(made());
    String first = running.current(KeyUse.IDP_SIGNING).id();
    Path ring = data.resolve("keys/demo/idp-signing/ring");
    String good = Files.readString(ring);
    Files.writeString(ring, "current=0000000000000000\n");
    time.advance(FileKeyRings.LOOK_AGAIN);
    assertThat(running.current(KeyUse.IDP_SIGNING).id()).isEqualTo(first);
    assertThatIllegalStateException()
        .isThrownBy(() -> rings().of(made()).current(KeyUse.IDP_SIGNING))
        .withMessageContaining("idp-signing");
    Files.writeString(ring, good);
    time.advance(Duration.ofMinutes(1));
    assertThat(running.current(KeyUse.IDP_SIGNING).id()).isEqualTo(first);
  }

  @Test
  void readsTheOperatorsPem() throws Exception {
    SigningKey key = SigningKeys.make(KeyAlgorithm.P_256, "operator", time.instant(), random);
    Path pem = Files.writeString(data.resolve("key.pem"), SigningKeys.format(key));
    KeyConfig config = new KeyConfig(KeyAlgorithm.RSA_2048, Optional.of(new KeyConfig.KeyFiles.Pem(pem, pem)));
    KeyRing ring = rings().of(realm(config));
    assertThat(ring.current(KeyUse.SP_SIGNING)).isEqualTo(key);
    assertThat(ids(ring)).containsExactly(key.id());
    assertThat(rings().folder(realm(config), KeyUse.SP_SIGNING)).isEmpty();
    assertThat(data.resolve("keys")).doesNotExist();
  }

  @Test
  void keysForEncryptionAreRsaWhateverSigns() {
    KeyRing ring = rings().of(realm(new KeyConfig(KeyAlgorithm.P_256, Optional.empty())));

    assertThat(ring.current(KeyUse.SP_SIGNING).algorithm()).isEqualTo(KeyAlgorithm.P_256);
    assertThat(ring.current(KeyUse.SP_ENCRYPTION).algorithm()).isEqualTo(KeyAlgorithm.RSA_2048);
    assertThat(ring.current(KeyUse.IDP_ENCRYPTION).id()).isNotEqualTo(ring.current(KeyUse.SP_ENCRYPTION).id());
    boolean[] usage = ring.current(KeyUse.SP_ENCRYPTION).certificate().getKeyUsage();
    assertThat(usage[0]).as("digitalSignature").isFalse();
    assertThat(usage[2]).as("keyEncipherment").isTrue();
  }

  @Test
  void oldKeysForEncryptionAreNotPublishedAndStillDecrypt() {
    KeyRing running = rings().of(made());
    KeyFolder folder = rings().folder(made(), KeyUse.SP_ENCRYPTION).orElseThrow();
    String first = folder.load().current().id();
    String second = done(folder.prepare()).next().orElseThrow().id();
    assertThat(encryption(running)).containsExactly(first, second);
    assertThat(decryption(running)).containsExactly(first, second);

    folder.promote();
    time.advance(FileKeyRings.LOOK_AGAIN);
    assertThat(encryption(running)).containsExactly(second);
    assertThat(decryption(running)).containsExactly(second, first);

    folder.retire();
    time.advance(FileKeyRings.LOOK_AGAIN);
    assertThat(decryption(running)).as("for a while yet").containsExactly(second, first);
    assertThat(decryption(rings().of(made()))).as("after a restart").containsExactly(second, first);

    time.advance(KeyFolder.GRACE);
    assertThat(decryption(running)).containsExactly(second);
    assertThat(data.resolve("keys/demo/sp-encryption/" + first + ".pem")).exists();
    folder.prepare();
    assertThat(data.resolve("keys/demo/sp-encryption/" + first + ".pem")).as("swept with the next step").doesNotExist();
  }

  private static List<String> encryption(KeyRing ring) {
    return ring.published(KeyUse.SP_ENCRYPTION).stream().map(VerificationKey::id).toList();
  }

  private static List<String> decryption(KeyRing ring) {
    return ring.decryption(KeyUse.SP_ENCRYPTION).stream().map(DecryptionKey::id).toList();
  }

  /** Partners that know one certificate of ours encrypt to it. */
  @Test
  void aConfiguredRsaKeyDecryptsToo() throws Exception {
    SigningKey key = SigningKeys.make(KeyAlgorithm.RSA_2048, "operator", time.instant(), random);
    Path pem = Files.writeString(data.resolve("key.pem"), SigningKeys.format(key));
    Realm realm = realm(new KeyConfig(KeyAlgorithm.RSA_2048, Optional.of(new KeyConfig.KeyFiles.Pem(pem, pem))));
    KeyRing ring = rings().of(realm);

    assertThat(encryption(ring)).hasSize(1).doesNotContain(key.id());
    assertThat(decryption(ring)).hasSize(2).last().isEqualTo(key.id());
    assertThat(rings().folder(realm, KeyUse.SP_ENCRYPTION)).isPresent();
  }

  @Test
  void readsTheOperatorsPkcs12() throws Exception {
    SigningKey key = SigningKeys.make(KeyAlgorithm.RSA_2048, "operator", time.instant(), random);
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("any", key.privateKey(), "secret".toCharArray(), new Certificate[] {key.certificate()});
    Path file = data.resolve("key.p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, "secret".toCharArray());
    }
    KeyConfig.KeyFiles files = new KeyConfig.KeyFiles.Pkcs12(file, new Secret("secret"));
    assertThat(SigningKeys.read(files).id()).isEqualTo(key.id());
  }
}
