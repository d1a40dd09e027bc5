package dev.gatehouse.perf.jmh;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One thread issues and consumes a Response with one signed Assertion of three attributes, beside the bare signature
 * with the same key and provider, which is the limit of issuing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(value = 2, jvmArgsAppend = {"-XX:+UseCompactObjectHeaders", "-Xmx512m"})
public class SamlBenchmark {

  /** About as many bytes as the SignedInfo of such a Response. */
  private static final int SIGNED_BYTES = 700;

  @Param({"ACCP", "JDK"})
  public Provider provider = Provider.ACCP;

  @Param({"RSA_2048", "P_256"})
  public KeyAlgorithm key = KeyAlgorithm.RSA_2048;

  private final byte[] octets = new byte[SIGNED_BYTES];
  private final SamlWriter writer = new CanonicalSamlWriter();
  private final SamlReader reader = new StrictSamlReader();
  private final SamlReader.PartnerLookup partners = SamlFixtures.partners(SamlFixtures.idpMetadata());
  private final SamlMessage.Response response = SamlFixtures.response(Optional.of("_request-1"));

  private final SamlWriter encrypting =
      writer.encrypting(
          new Encryption(
              Set.of(Encrypted.ASSERTION),
              new EncryptionKey(
                  SamlFixtures.spKey().certificate(), ContentCipher.AES_256_GCM, KeyTransport.RSA_OAEP_MGF1P)));
  private final SamlReader.PartnerLookup decrypting =
      partners.decryptingWith(
          () -> List.of(new DecryptionKey(SamlFixtures.spKey().id(), SamlFixtures.spKey().privateKey())));

  private SigningKey signingKey = SamlFixtures.idpKey();
  private EdgeRequest posted = SamlFixtures.signedResponse(Optional.of("_request-1"), Optional.empty());
  private EdgeRequest postedEncrypted = posted;

  @Setup
  public void prepare() {
    provider.install();
    signingKey = key == KeyAlgorithm.P_256 ? SamlFixtures.idpP256Key() : SamlFixtures.idpKey();
    posted = SamlFixtures.posted(issue());
    postedEncrypted = SamlFixtures.posted(issueEncrypted());
  }

  @Benchmark
  public byte[] bareSignature() throws GeneralSecurityException {
    Signature signature = Signature.getInstance(key == KeyAlgorithm.P_256 ? "SHA256withECDSA" : "SHA256withRSA");
    signature.initSign(signingKey.privateKey());
    signature.update(octets);
    return signature.sign();
  }

  @Benchmark
  public SamlWriter.PostForm issue() {
    return writer.postResponse(
        response, SamlFixtures.SP_ACS, Optional.of("state"), signingKey, SamlWriter.Signed.ASSERTION);
  }

  /** Signs the Assertion, then encrypts it to the partner's RSA-2048 key. */
  @Benchmark
  public SamlWriter.PostForm issueEncrypted() {
    return encrypting.postResponse(
        response, SamlFixtures.SP_ACS, Optional.of("state"), signingKey, SamlWriter.Signed.ASSERTION);
  }

  @Benchmark
  public ReceivedResponse consume() {
    return consumed(posted, partners);
  }

  @Benchmark
  public ReceivedResponse consumeEncrypted() {
    return consumed(postedEncrypted, decrypting);
  }

  private ReceivedResponse consumed(EdgeRequest request, SamlReader.PartnerLookup lookup) {
    return switch (reader.response(arrived(request), lookup)) {
      case Result.Accepted(ReceivedResponse received) -> received;
      case Result.Refused(var refusal) -> throw new IllegalStateException(refusal.toString());
    };
  }

  /** A new request as from the network, because a request caches its parsed parameters. */
  private static EdgeRequest arrived(EdgeRequest request) {
    return new EdgeRequest(
        request.method(),
        request.origin(),
        request.path(),
        request.query(),
        request.headers(),
        request.body(),
        request.client());
  }
}
