package dev.gatehouse.common.saml.message;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.signature.Crypto;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import dev.gatehouse.common.saml.xml.BoundedTree;
import dev.gatehouse.common.saml.xml.HardenedParser;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Prints how many messages one thread signs and verifies a second, beside the bare signature with the same key. For
 * people: {@code java -cp ... dev.gatehouse.common.saml.message.SamlSpeed}; the figures that count are made in {@code perf}.
 */
final class SamlSpeed {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private SamlSpeed() {}

  public static void main(String[] args) {
    long start = System.nanoTime();
    if (args.length == 0) {
      AmazonCorrettoCryptoProvider.install();
    }
    SigningKey rsa = SamlFixtures.idpKey();
    SigningKey ec = SamlFixtures.idpP256Key();
    byte[] info = new byte[700];
    SamlWriter writer = new CanonicalSamlWriter();
    SamlReader reader = new StrictSamlReader();
    SamlReader.PartnerLookup partners = SamlFixtures.partners(SamlFixtures.idpMetadata());
    System.out.printf("keys made in %d ms%n", (System.nanoTime() - start) / 1_000_000);
    for (SigningKey key : new SigningKey[] {rsa, ec}) {
      var form = form(writer, key);
      EdgeRequest posted = SamlFixtures.posted(form);
      long first = System.nanoTime();
      reader.response(posted, partners);
      System.out.printf("%s: %d characters of base64, first read %d ms%n", key.algorithm(), form.value().length(),
          (System.nanoTime() - first) / 1_000_000);
      print("bare sign", () -> Crypto.sign(key, info));
      print("issue", () -> form(writer, key));
      byte[] value = Crypto.sign(key, info);
      SignatureAlgorithm algorithm = SignatureAlgorithm.of(key.algorithm());
      print("bare verify", () -> Crypto.verifies(algorithm, key.certificate().getPublicKey(), info, value));
      print("parse", () -> new Object[] {parse(form.value())});
      print("consume", () -> reader.response(arrived(posted), partners));
    }
  }

  private static final HardenedParser PARSER =
      new HardenedParser(Transport.MAX_BYTES, new BoundedTree.Limits(40, 5_000, 64));

  /** As an edge makes it: a request keeps the parameters that were read of it. */
  private static EdgeRequest arrived(EdgeRequest sent) {
    return new EdgeRequest(
        sent.method(), sent.origin(), sent.path(), sent.query(), sent.headers(), sent.body(), sent.client());
  }

  private static Object parse(String value) {
    return PARSER.parse(Transport.fromPost(value));
  }

  private static SamlWriter.PostForm form(SamlWriter writer, SigningKey key) {
    return writer.postResponse(
        SamlFixtures.response(Optional.of("_request")), SamlFixtures.SP_ACS, Optional.empty(), key,
        SamlWriter.Signed.ASSERTION);
  }

  /** The best of four rounds, by the CPU time of this thread: the machine may be busy. */
  private static void print(String name, Supplier<Object> work) {
    double best = 0;
    int results = 0;
    for (int round = 0; round < 4; round++) {
      long start = THREADS.getCurrentThreadCpuTime();
      int count = 0;
      while (THREADS.getCurrentThreadCpuTime() - start < 1_000_000_000L) {
        for (int i = 0; i < 20; i++) {
          results += work.get().hashCode();
        }
        count += 20;
      }
      best = Math.max(best, count * 1e9 / (THREADS.getCurrentThreadCpuTime() - start));
    }
    System.out.printf("  %-12s %,9.0f /s (%d)%n", name, best, results & 1);
  }
}
