package dev.gatehouse.gateway.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The self-signed TLS certificate of the demo's https listeners, created at the first start, and again before it
 * expires.
 */
public final class DemoCertificate {
  // The longest lifetime that browsers accept (Apple's limit is 398 days, also for local certificates).
  private static final Duration LIFETIME = Duration.ofDays(397);
  private static final Duration RENEWED_BEFORE = Duration.ofDays(30);
  private static final String[] NAMES = {"idp.localhost", "app.localhost", "localhost"};

  private DemoCertificate() {}

  /** Creates {@code demo.crt} and {@code demo.key} (PEM) in that folder unless valid ones exist. */
  public static void ensure(Path folder, Instant now, SecureRandom random) {
    Path certificate = folder.resolve("demo.crt");
    Path key = folder.resolve("demo.key");
    if (Files.exists(key) && isGood(certificate, now)) {
      return;
    }
    try {
      Files.createDirectories(folder);
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), random);
      KeyPair pair = generator.generateKeyPair();
      write(key, "PRIVATE KEY", pair.getPrivate().getEncoded(), "rw-------");
      write(certificate, "CERTIFICATE", sign(pair, now, random), "rw-r--r--");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("cannot make the demo's certificate", e);
    }
  }

  private static boolean isGood(Path certificate, Instant now) {
    try (var in = Files.newInputStream(certificate)) {
      X509Certificate found = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      return found.getNotAfter().toInstant().isAfter(now.plus(RENEWED_BEFORE));
    } catch (IOException | CertificateException e) {
      // A missing or damaged certificate is replaced.
      return false;
    }
  }

  private static byte[] sign(KeyPair pair, Instant now, SecureRandom random)
      throws IOException, OperatorCreationException {
    X500Name name = new X500Name("CN=Gatehouse demo");
    GeneralName[] names = new GeneralName[NAMES.length + 1];
    for (int i = 0; i < NAMES.length; i++) {
      names[i] = new GeneralName(GeneralName.dNSName, NAMES[i]);
    }
    names[NAMES.length] = new GeneralName(GeneralName.iPAddress, "127.0.0.1");
    return new JcaX509v3CertificateBuilder(
            name,
            new BigInteger(120, random).setBit(120),
            Date.from(now.minus(Duration.ofHours(1))),
            Date.from(now.plus(LIFETIME)),
            name,
            pair.getPublic())
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
        .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
        .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names))
        .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))
        .getEncoded();
  }

  private static void write(Path file, String label, byte[] der, String permissions) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    String pem = "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
    Path fresh = Files.createTempFile(
        file.getParent(), "made", ".pem", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(fresh, pem.getBytes(StandardCharsets.US_ASCII));
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString(permissions));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
