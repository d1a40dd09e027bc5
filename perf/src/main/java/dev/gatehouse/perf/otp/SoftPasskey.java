package dev.gatehouse.perf.otp;

import dev.gatehouse.common.crypto.CryptoProviders;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Authenticators and their browser (WebAuthn, sections 6.3.3 and 5.8.1), of which the server sees no difference to real ones. People share
 * some hundred keys, because a server keeps none of them, and RSA keys take long to make.
 */
final class SoftPasskey {

  /** Present and verified. */
  private static final byte FLAGS = 0x05;

  /** Kinds of keys (RFC 9053; RFC 8812 for RS256). */
  enum Kind {
    ES256("ES256", "EC", new ECGenParameterSpec("secp256r1"), "SHA256withECDSA", 500),
    EDDSA("EdDSA", "Ed25519", NamedParameterSpec.ED25519, "Ed25519", 500),
    RS256("RS256", "RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4), "SHA256withRSA", 8);

    private final String word;
    private final String key;
    private final AlgorithmParameterSpec parameters;
    private final String signature;
    private final int keys;

    Kind(String word, String key, AlgorithmParameterSpec parameters, String signature, int keys) {
      this.word = word;
      this.key = key;
      this.parameters = parameters;
      this.signature = signature;
      this.keys = keys;
    }

    String word() {
      return word;
    }
  }

  private final Kind kind;
  private final KeyPair[] keys;
  private final String origin;
  private final byte[] relyingParty;

  /**
   * Makes keys.
   *
   * @param origin of the pages that ask
   * @param rpId the domain for which the passkeys are
   */
  SoftPasskey(Kind kind, String origin, String rpId) {
    CryptoProviders.install();
    this.kind = kind;
    this.origin = origin;
    this.relyingParty = sha256(rpId.getBytes(StandardCharsets.UTF_8));
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(kind.key);
      generator.initialize(kind.parameters);
      this.keys = new KeyPair[kind.keys];
      Arrays.setAll(keys, i -> generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  Kind kind() {
    return kind;
  }

  /** The credential ID of a person, base64url. */
  String id(int person) {
    return base64url((kind + "-passkey-of-" + person).getBytes(StandardCharsets.UTF_8));
  }

  /** The user handle of a person, base64url. */
  static String handle(int person) {
    return base64url(("somebody who is number " + person).getBytes(StandardCharsets.UTF_8));
  }

  private KeyPair key(int person) {
    return keys[person % keys.length];
  }

  /** The person's public key as a COSE_Key (RFC 9052, section 7). */
  byte[] publicKey(int person) {
    PublicKey key = key(person).getPublic();
    ByteArrayOutputStream cose = new ByteArrayOutputStream();
    switch (kind) {
      case ES256 -> {
        ECPublicKey point = (ECPublicKey) key;
        cose.writeBytes(HexFormat.of().parseHex("a5010203262001215820"));
        cose.writeBytes(unsigned(point.getW().getAffineX(), 32));
        cose.writeBytes(HexFormat.of().parseHex("225820"));
        cose.writeBytes(unsigned(point.getW().getAffineY(), 32));
      }
      case EDDSA -> {
        byte[] encoded = key.getEncoded();
        cose.writeBytes(HexFormat.of().parseHex("a4010103272006215820"));
        cose.writeBytes(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
      }
      case RS256 -> {
        cose.writeBytes(HexFormat.of().parseHex("a401030339010020590100"));
        cose.writeBytes(unsigned(((RSAPublicKey) key).getModulus(), 256));
        cose.writeBytes(HexFormat.of().parseHex("2143010001"));
      }
    }
    return cose.toByteArray();
  }

  private static byte[] unsigned(BigInteger number, int length) {
    byte[] bytes = number.toByteArray();
    byte[] fixed = new byte[length];
    int used = Math.min(length, bytes.length);
    System.arraycopy(bytes, bytes.length - used, fixed, length - used, used);
    return fixed;
  }

  /**
   * What the browser sends after navigator.credentials.get().
   *
   * @param challenge base64url
   * @param counter of signatures, this one included
   */
  String assertion(int person, String challenge, int counter) {
    byte[] data = ByteBuffer.allocate(relyingParty.length + 5).put(relyingParty).put(FLAGS).putInt(counter).array();
    byte[] client =
        ("{\"type\":\"webauthn.get\",\"challenge\":\"" + challenge + "\",\"origin\":\"" + origin + "\",\"crossOrigin\":false}")
            .getBytes(StandardCharsets.UTF_8);
    String id = id(person);
    return "{\"id\":\"" + id + "\",\"rawId\":\"" + id + "\",\"type\":\"public-key\",\"authenticatorAttachment\":\"platform\","
        + "\"clientExtensionResults\":{},\"response\":{\"clientDataJSON\":\"" + base64url(client) + "\",\"authenticatorData\":\""
        + base64url(data) + "\",\"signature\":\"" + base64url(signature(person, data, client)) + "\",\"userHandle\":\"" + handle(person)
        + "\"}}";
  }

  private byte[] signature(int person, byte[] data, byte[] client) {
    try {
      Signature signature = Signature.getInstance(kind.signature);
      signature.initSign(key(person).getPrivate());
      signature.update(data);
      signature.update(sha256(client));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
