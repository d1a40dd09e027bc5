package dev.gatehouse.idp.passkey;

import dev.gatehouse.common.key.PeopleCa;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/** An authenticator and its browser (WebAuthn, sections 6 and 5.8.1), which do what a test tells them. */
public final class SoftAuthenticator {

  static final int PRESENT = 0x01;
  static final int VERIFIED = 0x04;
  static final int BACKUP_ELIGIBLE = 0x08;
  static final int BACKED_UP = 0x10;
  private static final int ATTESTED = 0x40;

  private final KeyPair pair;
  private final byte[] id;

  String origin = "http://idp.localhost:8080";
  String rpId = "idp.localhost";
  /** What the browser says of the page's frame. */
  String frame = "\"crossOrigin\":false";
  int flags = PRESENT | VERIFIED;
  int counter;
  UUID aaguid = new UUID(0, 0);

  /** The certificate of its model. */
  Optional<PeopleCa.Issued> attests = Optional.empty();

  boolean attestsItself;

  public SoftAuthenticator(String id) {
    this.id = id.getBytes(StandardCharsets.UTF_8);
    try {
      KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
      keys.initialize(new ECGenParameterSpec("secp256r1"));
      pair = keys.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public String id() {
    return base64url(id);
  }

  /** What the browser sends after navigator.credentials.create(). */
  public String create(String challenge) {
    ByteArrayOutputStream attested = new ByteArrayOutputStream();
    attested.writeBytes(
        ByteBuffer.allocate(16).putLong(aaguid.getMostSignificantBits()).putLong(aaguid.getLeastSignificantBits()).array());
    attested.writeBytes(ByteBuffer.allocate(2).putShort((short) id.length).array());
    attested.writeBytes(id);
    attested.writeBytes(coseKey());
    byte[] data = authenticatorData(flags | ATTESTED, attested.toByteArray());
    byte[] client = clientData("webauthn.create", challenge);
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    object.writeBytes(attestation(data, client));
    object.writeBytes(HexFormat.of().parseHex("686175746844617461"));
    object.writeBytes(bytes(data));
    return json(
        "\"clientDataJSON\":\"" + base64url(client) + "\",\"transports\":[\"internal\"],"
            + "\"attestationObject\":\"" + base64url(object.toByteArray()) + "\"");
  }

  /** The first two members of the attestation object (section 6.5.4): format none, or packed (section 8.2). */
  private byte[] attestation(byte[] data, byte[] client) {
    if (attests.isEmpty() && !attestsItself) {
      // {"fmt": "none", "attStmt": {}, ...}
      return HexFormat.of().parseHex("a363666d74646e6f6e656761747453746d74a0");
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    // {"fmt": "packed", "attStmt": {"alg": -7, "sig": ..., "x5c": [...]}, ...}
    packed.writeBytes(HexFormat.of().parseHex("a363666d74667061636b65646761747453746d74"));
    packed.writeBytes(HexFormat.of().parseHex(attestsItself ? "a2" : "a3"));
    packed.writeBytes(HexFormat.of().parseHex("63616c672663736967"));
    packed.writeBytes(bytes(sign(attests.map(PeopleCa.Issued::privateKey).orElse(pair.getPrivate()), data, client)));
    if (!attestsItself) {
      packed.writeBytes(HexFormat.of().parseHex("6378356381"));
      try {
        packed.writeBytes(bytes(attests.orElseThrow().certificate().getEncoded()));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
    return packed.toByteArray();
  }

  /** A byte string of CBOR, with a length of two bytes. */
  private static byte[] bytes(byte[] content) {
    return ByteBuffer.allocate(content.length + 3).put((byte) 0x59).putShort((short) content.length).put(content).array();
  }

  private static byte[] sign(PrivateKey key, byte[] data, byte[] client) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(key);
      signature.update(data);
      signature.update(sha256(client));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the browser sends after navigator.credentials.get(). */
  public String get(String challenge, String handle) {
    byte[] data = authenticatorData(flags, new byte[0]);
    byte[] client = clientData("webauthn.get", challenge);
    return json(
        "\"clientDataJSON\":\"" + base64url(client) + "\",\"authenticatorData\":\"" + base64url(data) + "\",\"signature\":\""
            + base64url(sign(pair.getPrivate(), data, client)) + "\",\"userHandle\":\"" + handle + "\"");
  }

  private String json(String response) {
    return "{\"id\":\"" + id() + "\",\"rawId\":\"" + id() + "\",\"type\":\"public-key\",\"clientExtensionResults\":{},\"response\":{" + response
        + "}}";
  }

  private byte[] clientData(String type, String challenge) {
    return ("{\"type\":\"" + type + "\",\"challenge\":\"" + challenge + "\",\"origin\":\"" + origin + "\"," + frame + "}")
        .getBytes(StandardCharsets.UTF_8);
  }

  private byte[] authenticatorData(int shown, byte[] attested) {
    byte[] rp = sha256(rpId.getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.allocate(rp.length + 5 + attested.length).put(rp).put((byte) shown).putInt(counter).put(attested).array();
  }

  /** ES256 over P-256 (RFC 9053, section 7.1.1). */
  private byte[] coseKey() {
    ECPublicKey key = (ECPublicKey) pair.getPublic();
    ByteArrayOutputStream cose = new ByteArrayOutputStream();
    cose.writeBytes(HexFormat.of().parseHex("a5010203262001215820"));
    cose.writeBytes(coordinate(key.getW().getAffineX().toByteArray()));
    cose.writeBytes(HexFormat.of().parseHex("225820"));
    cose.writeBytes(coordinate(key.getW().getAffineY().toByteArray()));
    return cose.toByteArray();
  }

  private static byte[] coordinate(byte[] number) {
    byte[] fixed = new byte[32];
    int length = Math.min(32, number.length);
    System.arraycopy(number, number.length - length, fixed, 32 - length, length);
    return fixed;
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
