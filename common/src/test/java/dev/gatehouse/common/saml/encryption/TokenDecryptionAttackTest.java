package dev.gatehouse.common.saml.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.crypto.RemoteKey;
import dev.gatehouse.common.crypto.RemoteKey.Scheme;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.pkcs11.SoftHsm;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SECURITY-CASES 23 with our key in a token of SoftHSM: what strangers encrypt to it is no oracle, and disturbs nobody. */
@Timeout(120)
class TokenDecryptionAttackTest {

  @TempDir private Path data = Path.of("");

  private final EncryptionAttackTest messages = new EncryptionAttackTest();

  @Test
  void corruptKeysAreOneRefusalAndTheTokenStaysOpen() throws Exception {
    assumeThat(SoftHsm.isInstalled()).isTrue();
    SigningKey ours = SamlFixtures.spKey();
    SoftHsm.token("hostile");
    SoftHsm.bring("hostile", "sp", ours.privateKey());
    Files.writeString(data.resolve("pin"), SoftHsm.PIN);
    Path pem = data.resolve("sp.pem");
    Files.writeString(
        pem, "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(ours.certificate().getEncoded()) + "\n-----END CERTIFICATE-----\n");
    try (Pkcs11Tokens tokens = new Pkcs11Tokens(List.of(SoftHsm.config("hostile", data.resolve("pin"))), data, Map.of(), new TestTime())) {
      Pkcs11Tokens.Found found = tokens.key("hsm", "sp", Optional.of(Files.readAllBytes(pem)));
      PrivateKey inToken = found.key();
      EncryptionTest.accepted(EncryptionAttackTest.read(messages.honest(), inToken));
      int restarts = SoftHsm.restarts();

      Set<SamlRefusal> refusals = new HashSet<>();
      for (String broken : messages.broken()) {
        refusals.add(EncryptionAttackTest.refusal(EncryptionAttackTest.read(broken, inToken)));
        EncryptionTest.accepted(EncryptionAttackTest.read(messages.honest(), inToken));
      }
      assertThat(refusals).as("one reason and one text for all").singleElement().extracting(SamlRefusal::reason).isEqualTo(Reason.DECRYPTION_FAILED);
      assertThat(refusals).containsExactly(EncryptionAttackTest.refusal(EncryptionAttackTest.read(messages.broken().getFirst())));

      // Signatures go on meanwhile, in the sessions that are open.
      RemoteKey key = (RemoteKey) found.key();
      byte[] content = "content".getBytes(StandardCharsets.US_ASCII);
      byte[] signature = key.sign(Scheme.RSA_PKCS1, content);
      List<Callable<Boolean>> work =
          IntStream.range(0, 200)
              .<Callable<Boolean>>mapToObj(
                  i ->
                      i % 2 == 0
                          ? () -> EncryptionTest.refused(EncryptionAttackTest.read(messages.broken().get(i / 2 % 2), inToken)) == Reason.DECRYPTION_FAILED
                          : () -> Arrays.equals(key.sign(Scheme.RSA_PKCS1, content), signature))
              .toList();
      try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
        for (Future<Boolean> one : threads.invokeAll(work)) {
          assertThat(one.get()).isTrue();
        }
      }
      assertThat(SoftHsm.restarts()).as("the library was not started again").isEqualTo(restarts);
      assertThat(tokens.problems()).isEmpty();
    }
  }
}
