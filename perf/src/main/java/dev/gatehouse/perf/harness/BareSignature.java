package dev.gatehouse.perf.harness;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.List;

/**
 * Only the private key operation, in one thread with the provider of the idp: the upper limit for everything that signs.
 * Its CPU time is that of the signing thread.
 */
public final class BareSignature extends Load {

  /** The row of all bare signatures. */
  public static final String ROW = "bare signature";

  private static final int MOST_SECONDS = 3;

  /** About as many bytes as the SignedInfo of a Response, or an access token. */
  private static final byte[] OCTETS = new byte[700];

  private final String algorithm;
  private final PrivateKey key;
  private final long started = System.nanoTime();

  private BareSignature(String name, String algorithm, PrivateKey key) {
    super(new Server(name, List.of()), ROW);
    this.algorithm = algorithm;
    this.key = key;
  }

  /** @param keyAlgorithm a value of {@code keys.algorithm}: rsa-2048, p-256 */
  public static BareSignature of(String keyAlgorithm) throws IOException {
    AmazonCorrettoCryptoProvider.install();
    boolean isEc = keyAlgorithm.equals("p-256");
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(isEc ? "EC" : "RSA");
      if (isEc) {
        generator.initialize(new ECGenParameterSpec("secp256r1"));
      } else {
        generator.initialize(Integer.parseInt(keyAlgorithm.substring("rsa-".length())));
      }
      String algorithm = isEc ? "SHA256withECDSA" : "SHA256withRSA";
      return new BareSignature(name(keyAlgorithm), algorithm, generator.generateKeyPair().getPrivate());
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** The name of the server. */
  public static String name(String keyAlgorithm) {
    return ROW + ", " + keyAlgorithm;
  }

  @Override
  public Iteration run(Iteration.Phase phase, int seconds) throws IOException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = System.nanoTime();
    long cpu = threads.getCurrentThreadCpuTime();
    long end = begin + Math.min(MOST_SECONDS, seconds) * 1_000_000_000L;
    Latencies latencies = new Latencies();
    long made = 0;
    try {
      for (long from = begin; from < end; made++) {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(OCTETS);
        signature.sign();
        long to = System.nanoTime();
        latencies.add(to - from);
        from = to;
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    List<Iteration.Cost> costs =
        List.of(new Iteration.Cost("signer", (threads.getCurrentThreadCpuTime() - cpu) / 1e9, 0));
    long now = System.nanoTime();
    return new Iteration(
        server().name(), ROW, phase, (now - started) / 1e9, (now - begin) / 1e9, made, List.of(latencies.step(ROW, 0)), costs, false);
  }
}
