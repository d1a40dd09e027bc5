package dev.gatehouse.common.crypto;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads PEM (RFC 7468): certificates, and unencrypted PKCS#8 private keys. */
public final class Pem {

  /** Reads each character once: what follows a first line without its last one may be megabytes. */
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]++)-----([A-Za-z0-9+/=\\s]*+)-----END \\1-----");

  private Pem() {}

  /** Returns the certificates in the order of the file, at least one; throws if there is none or one is broken. */
  public static List<X509Certificate> certificates(byte[] pem) throws GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks(pem)) {
      if (block.type().equals("CERTIFICATE")) {
        certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.content())));
      }
    }
    if (certificates.isEmpty()) {
      throw new GeneralSecurityException("no BEGIN CERTIFICATE is in it");
    }
    return List.copyOf(certificates);
  }

  /** Returns the private key, RSA, EC or Ed25519; throws with instructions for its conversion if it is in another form. */
  public static PrivateKey privateKey(byte[] pem) throws GeneralSecurityException {
    for (Block block : blocks(pem)) {
      switch (block.type()) {
        case "PRIVATE KEY" -> {
          return pkcs8(block.content());
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw new GeneralSecurityException("the key is encrypted; convert it: openssl pkcs8 -in KEY -out NEW");
        case "RSA PRIVATE KEY", "EC PRIVATE KEY" ->
            throw new GeneralSecurityException(
                "the key is not PKCS#8; convert it: openssl pkcs8 -topk8 -nocrypt -in KEY -out NEW");
        default -> {}
      }
    }
    throw new GeneralSecurityException("no BEGIN PRIVATE KEY is in it");
  }

  /** Returns a certificate as PEM. */
  public static String format(X509Certificate certificate) {
    try {
      String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
      return "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n";
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be encoded", e);
    }
  }

  private static PrivateKey pkcs8(byte[] content) throws GeneralSecurityException {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(content);
    for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (GeneralSecurityException e) {
        // The key is not of this algorithm: the next one is tried.
      }
    }
    throw new GeneralSecurityException("the key is neither RSA nor EC nor Ed25519");
  }

  /** Returns whether the certificate contains the public half of the private key. */
  public static boolean isPair(PrivateKey privateKey, X509Certificate certificate) throws GeneralSecurityException {
    String algorithm = signature(privateKey);
    if (!algorithm.equals(signature(certificate.getPublicKey()))) {
      return false;
    }
    byte[] text = "pair".getBytes(StandardCharsets.US_ASCII);
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(privateKey);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(text);
    try {
      return signature.verify(signed);
    } catch (SignatureException e) {
      return false;
    }
  }

  /** Returns the signature algorithm. Some providers call Ed25519 keys EdDSA. */
  private static String signature(Key key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> "Ed25519";
    };
  }

  private record Block(String type, byte[] content) {}

  private static List<Block> blocks(byte[] pem) throws GeneralSecurityException {
    Matcher matcher = BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1));
    List<Block> blocks = new ArrayList<>();
    while (matcher.find()) {
      try {
        blocks.add(new Block(matcher.group(1), Base64.getMimeDecoder().decode(matcher.group(2))));
      } catch (IllegalArgumentException e) {
        throw new GeneralSecurityException("the base64 of " + matcher.group(1) + " is broken", e);
      }
    }
    return blocks;
  }
}
