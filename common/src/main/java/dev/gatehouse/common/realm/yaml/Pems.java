package dev.gatehouse.common.realm.yaml;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.realm.KeyConfig.KeyFiles;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** The PEM files that keys name. */
public final class Pems {

  /** The certificates of a file, in its order. */
  public static final Type<List<X509Certificate>> CHAIN = Type.string("PEM file", v -> v.content().flatMap(content -> certificates(v, content)));

  /** The first certificate of a file. */
  public static final Type<X509Certificate> CERTIFICATE = CHAIN.then("PEM file", (v, chain) -> Optional.of(chain.getFirst()));

  /** Certificates of authorities. */
  public static final Type<List<X509Certificate>> AUTHORITIES =
      CHAIN.then(
          "PEM file",
          (v, chain) ->
              // Basic constraints of -1: the certificate may not sign another certificate (RFC 5280, section 4.2.1.9).
              chain.stream().allMatch(certificate -> certificate.getBasicConstraints() >= 0)
                  ? Optional.of(chain)
                  : v.wrong("holds a certificate that is no authority's: " + v.shownPath(), "name the certificate of the CA itself"));

  private Pems() {}

  /** Reads a private key and its certificate (chain), which must belong together. */
  public static Optional<KeyFiles.Pem> pair(YamlValue privateKey, YamlValue certificate) {
    Optional<X509Certificate> x509 = CERTIFICATE.parser().apply(certificate);
    Optional<PrivateKey> key = privateKey.secretContent().flatMap(content -> privateKey(privateKey, content));
    if (x509.isEmpty() || key.isEmpty()) {
      return Optional.empty();
    }
    try {
      if (Pem.isPair(key.get(), x509.get())) {
        return Optional.of(new KeyFiles.Pem(privateKey.onDisk(), certificate.onDisk()));
      }
    } catch (GeneralSecurityException e) {
      // A key that cannot sign does not match, either.
    }
    return privateKey.wrong("does not match the certificate " + certificate.shownPath(), "use the two that were made together");
  }

  private static Optional<PrivateKey> privateKey(YamlValue value, byte[] content) {
    try {
      return Optional.of(Pem.privateKey(content));
    } catch (GeneralSecurityException e) {
      return value.wrong("is not a PEM private key: " + e.getMessage(), "write the path of a PKCS#8 PEM file");
    }
  }

  private static Optional<List<X509Certificate>> certificates(YamlValue value, byte[] content) {
    try {
      return Optional.of(Pem.certificates(content));
    } catch (GeneralSecurityException e) {
      return value.wrong("is not a PEM certificate: " + value.shownPath(), "write the path of a file with BEGIN CERTIFICATE");
    }
  }
}
