package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.signature.Crypto;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * An artifact of type 0x0004 (SAML Bindings 3.6.4.2): a reference to a message that its issuer stores.
 *
 * @param endpointIndex of the issuer's ArtifactResolutionService that knows it, from 0 to 65535
 * @param sourceId identifies the issuer: the SHA-1 of its entity ID, hexadecimal
 * @param messageHandle 20 bytes, hexadecimal; a party that knows it may request the message
 */
public record Artifact(int endpointIndex, String sourceId, String messageHandle) {

  private static final int TYPE_CODE = 4;
  private static final int BYTES = 44;
  private static final int ID_BYTES = 20;
  private static final HexFormat HEX = HexFormat.of();

  public Artifact {
    if (endpointIndex < 0 || endpointIndex > 0xffff || sourceId.length() != 40 || messageHandle.length() != 40) {
      throw new IllegalArgumentException("not an artifact of type 0x0004");
    }
  }

  /** Creates an artifact of that entity; {@code random} must be a SecureRandom outside tests. */
  public static Artifact create(int endpointIndex, String entityId, RandomGenerator random) {
    byte[] handle = new byte[ID_BYTES];
    random.nextBytes(handle);
    return new Artifact(endpointIndex, sourceId(entityId), HEX.formatHex(handle));
  }

  /** Returns the source ID. It identifies and does not protect; the binding prescribes SHA-1 (SAML Bindings 3.6.4.2). */
  public static String sourceId(String entityId) {
    return HEX.formatHex(Crypto.digest("SHA-1", entityId.getBytes(StandardCharsets.UTF_8)));
  }

  /** Parses the one spelling that {@link #value} writes, or refuses with ARTIFACT_MALFORMED. */
  public static Result<Artifact, SamlRefusal> parse(String value) {
    // The length is checked before decoding, because the sender decides on it.
    Optional<byte[]> decoded = value.length() == (BYTES + 2) / 3 * 4 ? XmlValues.base64(value) : Optional.empty();
    if (decoded.isEmpty() || decoded.get().length != BYTES) {
      return malformed("not " + BYTES + " bytes in base64");
    }
    ByteBuffer bytes = ByteBuffer.wrap(decoded.get());
    if (Short.toUnsignedInt(bytes.getShort()) != TYPE_CODE) {
      return malformed("of another type than 0x0004");
    }
    Artifact artifact = new Artifact(Short.toUnsignedInt(bytes.getShort()), hex(bytes), hex(bytes));
    return artifact.value().equals(value) ? new Result.Accepted<>(artifact) : malformed("base64 with spare bits set");
  }

  private static String hex(ByteBuffer from) {
    byte[] bytes = new byte[ID_BYTES];
    from.get(bytes);
    return HEX.formatHex(bytes);
  }

  private static <T> Result<T, SamlRefusal> malformed(String what) {
    return new Result.Refused<>(new SamlRefusal(Reason.ARTIFACT_MALFORMED, "an artifact that is " + what));
  }

  /** Returns the artifact as it is sent: base64. */
  public String value() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).putShort((short) TYPE_CODE).putShort((short) endpointIndex);
    bytes.put(HEX.parseHex(sourceId)).put(HEX.parseHex(messageHandle));
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  /** Omits the handle, which is a secret while the message is stored. */
  @Override
  public String toString() {
    return "Artifact of " + sourceId + " at " + endpointIndex;
  }
}
