package dev.gatehouse.common.http;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Determines by handshakes what a TLS listener of this machine accepts: one handshake for each version and cipher suite of the JDK. */
public final class TlsProbe {

  /** Accepted by a listener with an RSA certificate. */
  public static final Set<String> WITH_RSA =
      Set.of(
          "TLSv1.3", "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");

  /** Accepted by a listener with an EC certificate. */
  public static final Set<String> WITH_EC =
      Set.of(
          "TLSv1.3", "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");

  private TlsProbe() {}

  /** Versions, those before 1.3 with the suite. */
  public static Set<String> accepted(int port) throws GeneralSecurityException {
    SSLContext context = InsecureTrustManager.context();
    Set<String> accepted = new TreeSet<>();
    for (String protocol : new String[] {"TLSv1", "TLSv1.1", "TLSv1.2"}) {
      Arrays.stream(context.getSupportedSSLParameters().getCipherSuites())
          .filter(suite -> suite.contains("_WITH_") && shakesHands(context, port, protocol, suite))
          .forEach(suite -> accepted.add(protocol + " " + suite));
    }
    if (shakesHands(context, port, "TLSv1.3", "TLS_AES_128_GCM_SHA256")) {
      accepted.add("TLSv1.3");
    }
    return accepted;
  }

  private static boolean shakesHands(SSLContext context, int port, String protocol, String suite) {
    try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.setEnabledProtocols(new String[] {protocol});
      socket.setEnabledCipherSuites(new String[] {suite});
      socket.startHandshake();
      return true;
    } catch (SSLException e) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException("no listener at " + port, e);
    }
  }

  /** Writes {@code NAME.crt} and {@code NAME.key}, self-signed. @param algorithm RSA or EC */
  public static void certificate(Path folder, String name, String algorithm)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(algorithm.equals("RSA") ? 2048 : 256);
    KeyPair pair = generator.generateKeyPair();
    X500Name subject = new X500Name("CN=localhost");
    Instant now = Instant.now();
    String signature = algorithm.equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    byte[] certificate =
        new JcaX509v3CertificateBuilder(
                subject, BigInteger.ONE, Date.from(now.minusSeconds(3600)), Date.from(now.plusSeconds(3600)), subject,
                pair.getPublic())
            .build(new JcaContentSignerBuilder(signature).build(pair.getPrivate()))
            .getEncoded();
    write(folder.resolve(name + ".crt"), "CERTIFICATE", certificate);
    write(folder.resolve(name + ".key"), "PRIVATE KEY", pair.getPrivate().getEncoded());
  }

  private static void write(Path file, String label, byte[] der) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(file, "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n");
  }
}
