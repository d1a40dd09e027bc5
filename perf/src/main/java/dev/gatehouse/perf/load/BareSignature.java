package dev.gatehouse.perf.load;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;

/**
 * Only the private key operation, in one thread with the provider of the idp: the upper limit for everything that
 * signs.
 */
public final class BareSignature {

  /** About as many bytes as the SignedInfo of a Response, or an access token. */
  private static final byte[] OCTETS = new byte[700];

  /**
   * The results.
   *
   * @param cpuSeconds of the signing thread
   */
  public record Result(String name, long made, double seconds, double cpuSeconds) {
    public double perCpuSecond() {
      return made / cpuSeconds;
    }
  }

  private final String name;
  private final String algorithm;
  private final PrivateKey key;

  private BareSignature(String name, String algorithm, PrivateKey key) {
    this.name = name;
    this.algorithm = algorithm;
    this.key = key;
  }

  /** @param keyAlgorithm a value of {@code keys.algorithm}: rsa-2048, p-256 */
  public static BareSignature of(String keyAlgorithm) throws GeneralSecurityException {
    AmazonCorrettoCryptoProvider.install();
    boolean isEc = keyAlgorithm.equals("p-256");
    KeyPairGenerator generator = KeyPairGenerator.getInstance(isEc ? "EC" : "RSA");
    if (isEc) {
      generator.initialize(new ECGenParameterSpec("secp256r1"));
    } else {
      generator.initialize(Integer.parseInt(keyAlgorithm.substring("rsa-".length())));
    }
    return new BareSignature(
        name(keyAlgorithm), isEc ? "SHA256withECDSA" : "SHA256withRSA", generator.generateKeyPair().getPrivate());
  }

  public static String name(String keyAlgorithm) {
    return "bare signature, " + keyAlgorithm;
  }

  /** Signs for that many seconds. */
  public Result run(int seconds) throws GeneralSecurityException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = System.nanoTime();
    long cpu = threads.getCurrentThreadCpuTime();
    long end = begin + seconds * 1_000_000_000L;
    long made = 0;
    while (System.nanoTime() < end) {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(OCTETS);
      signature.sign();
      made++;
    }
    double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
    return new Result(name, made, (System.nanoTime() - begin) / 1e9, cpuSeconds);
  }
}
