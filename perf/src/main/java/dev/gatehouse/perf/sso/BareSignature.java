package dev.gatehouse.perf.sso;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.List;

/** The private key's part alone, in one thread with the provider that the idp uses: nothing that signs can be faster. */
final class BareSignature {

  /** About as many bytes as the SignedInfo of a Response. */
  private static final byte[] OCTETS = new byte[700];

  private final String name;
  private final String algorithm;
  private final PrivateKey key;
  private final long started = System.nanoTime();

  private BareSignature(String name, String algorithm, PrivateKey key) {
    this.name = name;
    this.algorithm = algorithm;
    this.key = key;
  }

  static BareSignature of(String keyAlgorithm) throws GeneralSecurityException {
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

  static String name(String keyAlgorithm) {
    return "bare signature, " + keyAlgorithm;
  }

  SsoWindow run(String phase, int seconds) throws GeneralSecurityException {
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
    long now = System.nanoTime();
    double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
    return new SsoWindow(
        name, phase, (now - started) / 1e9, (now - begin) / 1e9, made, List.of(new SsoWindow.Cost("signer", cpuSeconds)));
  }
}
