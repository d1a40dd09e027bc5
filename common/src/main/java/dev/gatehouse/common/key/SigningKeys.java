package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.realm.KeyConfig.KeyFiles;
import dev.gatehouse.common.realm.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Generates signing keys and reads them from files. Refuses a weak key and a key without its certificate. */
public final class SigningKeys {

  private static final Duration VALIDITY = Duration.ofDays(3652);
  private static final Duration SKEW = Duration.ofHours(1);
  private static final int SERIAL_BITS = 127;
  private static final String REQUIREMENT = "use RSA of at least 2048 bits, or P-256";

  private SigningKeys() {}

  /** Returns the key with its certificate; throws if they are not a pair, or weaker than RSA-2048 or not P-256. */
  public static SigningKey of(PrivateKey privateKey, X509Certificate certificate) throws GeneralSecurityException {
    if (!Pem.isPair(privateKey, certificate)) {
      throw new GeneralSecurityException("the certificate is not the private key's");
    }
    return remote(privateKey, certificate);
  }

  /** As {@link #of}, of a key that another place has compared with its certificate. */
  static SigningKey remote(PrivateKey privateKey, X509Certificate certificate) throws GeneralSecurityException {
    KeyAlgorithm algorithm =
        KeyAlgorithm.of(certificate.getPublicKey())
            .orElseThrow(() -> new GeneralSecurityException("the key is too weak or of another kind: " + REQUIREMENT));
    String id = Sha256.hex(certificate.getEncoded()).substring(0, 16);
    return new SigningKey(id, algorithm, privateKey, certificate);
  }

  /** Reads an operator's key: RSA or P-256, because it signs SAML messages. */
  public static SigningKey read(KeyFiles files) throws IOException, GeneralSecurityException {
    SigningKey key = readAny(files);
    if (key.algorithm() == KeyAlgorithm.ED_25519) {
      throw new GeneralSecurityException("the key is of another kind: " + REQUIREMENT);
    }
    return key;
  }

  private static SigningKey readAny(KeyFiles files) throws IOException, GeneralSecurityException {
    return switch (files) {
      case KeyFiles.Pem(Path privateKey, Path certificate) ->
          of(
              Pem.privateKey(Files.readAllBytes(privateKey)),
              Pem.certificates(Files.readAllBytes(certificate)).getFirst());
      case KeyFiles.Pkcs12(Path store, Secret password) ->
          ofPkcs12(Files.readAllBytes(store), password.value().toCharArray());
    };
  }

  /**
   * Generates a key and a self-signed certificate for ten years. Partners trust the key because our metadata list it, not because
   * of the certificate's content.
   *
   * @param commonName at most 64 characters
   */
  public static SigningKey make(KeyAlgorithm algorithm, String commonName, Instant now, SecureRandom random)
      throws GeneralSecurityException {
    return make(algorithm, KeyUsage.digitalSignature, commonName, now, random);
  }

  /** As {@link #make}, for a key to which others encrypt: RSA. */
  static SigningKey makeForEncryption(KeyAlgorithm algorithm, String commonName, Instant now, SecureRandom random)
      throws GeneralSecurityException {
    return make(algorithm, KeyUsage.keyEncipherment, commonName, now, random);
  }

  private static SigningKey make(
      KeyAlgorithm algorithm, int usage, String commonName, Instant now, SecureRandom random)
      throws GeneralSecurityException {
    KeyPair pair = generator(algorithm, random).generateKeyPair();
    X500Name name = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, commonName).build();
    BigInteger serial = new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1);
    try {
      byte[] encoded =
          new JcaX509v3CertificateBuilder(
                  name, serial, Date.from(now.minus(SKEW)), Date.from(now.plus(VALIDITY)), name, pair.getPublic())
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(usage))
              .build(new JcaContentSignerBuilder(signatureOf(algorithm)).build(pair.getPrivate()))
              .getEncoded();
      return of(pair.getPrivate(), Pem.certificates(pem("CERTIFICATE", encoded).getBytes(StandardCharsets.US_ASCII)).getFirst());
    } catch (CertIOException | OperatorCreationException e) {
      throw new GeneralSecurityException("cannot make a certificate", e);
    } catch (IOException e) {
      throw new GeneralSecurityException("cannot encode a certificate", e);
    }
  }

  /** Formats the private key and its certificate as one PEM text for {@link #parse}. */
  static String format(SigningKey key) throws GeneralSecurityException {
    return pem("PRIVATE KEY", key.privateKey().getEncoded()) + pem("CERTIFICATE", key.certificate().getEncoded());
  }

  static SigningKey parse(byte[] pem) throws GeneralSecurityException {
    return of(Pem.privateKey(pem), Pem.certificates(pem).getFirst());
  }

  private static SigningKey ofPkcs12(byte[] store, char[] password) throws IOException, GeneralSecurityException {
    KeyStore opened = KeyStore.getInstance("PKCS12");
    opened.load(new ByteArrayInputStream(store), password);
    List<String> aliases = new ArrayList<>();
    for (String alias : Collections.list(opened.aliases())) {
      if (opened.isKeyEntry(alias)) {
        aliases.add(alias);
      }
    }
    if (aliases.size() != 1) {
      throw new GeneralSecurityException("it has " + aliases.size() + " private keys; one is needed");
    }
    String alias = aliases.getFirst();
    if (opened.getKey(alias, password) instanceof PrivateKey key
        && opened.getCertificate(alias) instanceof X509Certificate certificate) {
      return of(key, certificate);
    }
    throw new GeneralSecurityException("its entry is not a private key with an X.509 certificate");
  }

  private static KeyPairGenerator generator(KeyAlgorithm algorithm, SecureRandom random)
      throws GeneralSecurityException {
    return switch (algorithm) {
      case RSA_2048 -> rsa(2048, random);
      case RSA_3072 -> rsa(3072, random);
      case P_256 -> {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        yield generator;
      }
      case ED_25519 -> KeyPairGenerator.getInstance("Ed25519");
    };
  }

  private static KeyPairGenerator rsa(int bits, SecureRandom random) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(bits, random);
    return generator;
  }

  private static String signatureOf(KeyAlgorithm algorithm) {
    return switch (algorithm) {
      case RSA_2048, RSA_3072 -> "SHA256withRSA";
      case P_256 -> "SHA256withECDSA";
      case ED_25519 -> "Ed25519";
    };
  }

  private static String pem(String type, byte[] content) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
  }
}
