package dev.gatehouse.idp.otp.packet;

import dev.gatehouse.idp.otp.packet.ParsedPacket.Malformed;
import dev.gatehouse.idp.otp.packet.ParsedPacket.Read;
import dev.gatehouse.idp.otp.packet.ParsedPacket.Reason;
import java.nio.charset.CharacterCodingException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A RADIUS packet whose structure is right (RFC 2865, section 3). It keeps the bytes as they came; attributes are found by walking over
 * them, which is cheaper than a copy of each.
 */
public final class RadiusPacket {

  /** Length of code, identifier, length and authenticator. */
  static final int HEADER = 20;

  /** The most bytes of a packet. */
  public static final int MAX_LENGTH = 4096;

  static final int AUTHENTICATOR = 4;
  static final int AUTHENTICATOR_LENGTH = 16;

  private static final int ABSENT = -1;

  private final byte[] bytes;
  private final PacketCode code;
  private final int messageAuthenticator;

  private RadiusPacket(byte[] bytes, PacketCode code, int messageAuthenticator) {
    this.bytes = bytes;
    this.code = code;
    this.messageAuthenticator = messageAuthenticator;
  }

  /** Reads the first bytes of the array. Bytes behind the length that the packet names are padding (RFC 2865, section 3). */
  public static ParsedPacket parse(byte[] data, int received) {
    if (received < HEADER) {
      return new Malformed(Reason.TOO_SHORT);
    }
    int length = (data[2] & 0xff) << 8 | data[3] & 0xff;
    if (length < HEADER || length > MAX_LENGTH) {
      return new Malformed(Reason.LENGTH_OUT_OF_RANGE);
    }
    if (length > received) {
      return new Malformed(Reason.TOO_SHORT);
    }
    Optional<PacketCode> code = PacketCode.of(data[0] & 0xff);
    if (code.isEmpty()) {
      return new Malformed(Reason.UNKNOWN_CODE);
    }
    int authenticator = ABSENT;
    for (int at = HEADER; at < length; at += data[at + 1] & 0xff) {
      // The length of the last attribute may lie outside of the packet.
      if (length - at < 2 || (data[at + 1] & 0xff) < 2 || (data[at + 1] & 0xff) > length - at) {
        return new Malformed(Reason.ATTRIBUTE_OUT_OF_BOUNDS);
      }
      if ((data[at] & 0xff) == AttributeType.MESSAGE_AUTHENTICATOR.number()) {
        if (authenticator != ABSENT || (data[at + 1] & 0xff) != 2 + AUTHENTICATOR_LENGTH) {
          return new Malformed(Reason.AUTHENTICATOR_MALFORMED);
        }
        authenticator = at + 2;
      }
    }
    return new Read(new RadiusPacket(Arrays.copyOf(data, length), code.get(), authenticator));
  }

  public PacketCode code() {
    return code;
  }

  public int identifier() {
    return bytes[1] & 0xff;
  }

  /** Returns the Request or Response Authenticator. */
  public byte[] authenticator() {
    return Arrays.copyOfRange(bytes, AUTHENTICATOR, AUTHENTICATOR + AUTHENTICATOR_LENGTH);
  }

  /** Returns the number of bytes. */
  public int length() {
    return bytes.length;
  }

  public boolean has(AttributeType type) {
    return find(type) != ABSENT;
  }

  /** Returns whether the packet has more than one attribute of the type. */
  public boolean hasSeveral(AttributeType type) {
    int first = find(type);
    return first != ABSENT && next(type, first + length(first)) != ABSENT;
  }

  /** Returns the value of the first attribute of the type. */
  public Optional<byte[]> value(AttributeType type) {
    int at = find(type);
    return at == ABSENT ? Optional.empty() : Optional.of(Arrays.copyOfRange(bytes, at + 2, at + length(at)));
  }

  /** Returns the first value of the type as text; nothing if it is not UTF-8. */
  public Optional<String> text(AttributeType type) {
    return value(type).flatMap(RadiusPacket::utf8);
  }

  /** Returns the first value of the type as text; nothing if it has control characters, which could forge lines of a log. */
  public Optional<String> plainText(AttributeType type) {
    return text(type).filter(text -> text.chars().noneMatch(Character::isISOControl));
  }

  /** Returns the first value of the type as a number without sign; nothing if it has not four bytes. */
  public Optional<Long> number(AttributeType type) {
    return value(type).filter(value -> value.length == 4).map(value -> Integer.toUnsignedLong(ByteBuffer.wrap(value).getInt()));
  }

  /** Returns whether there is an attribute of that vendor and vendor's type, also one with several vendor's attributes. */
  public boolean hasOfVendor(int vendor, int vendorType) {
    for (int at = find(AttributeType.VENDOR_SPECIFIC); at != ABSENT; at = next(AttributeType.VENDOR_SPECIFIC, at + length(at))) {
      int end = at + length(at);
      if (end - at >= 8 && ByteBuffer.wrap(bytes).getInt(at + 2) == vendor) {
        for (int own = at + 6; end - own >= 2 && (bytes[own + 1] & 0xff) >= 2; own += bytes[own + 1] & 0xff) {
          if ((bytes[own] & 0xff) == vendorType) {
            return true;
          }
        }
      }
    }
    return false;
  }

  static Optional<String> utf8(byte[] value) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** Returns where the bytes of the Message-Authenticator begin; a negative number if there is none. */
  int messageAuthenticator() {
    return messageAuthenticator;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns where the first attribute of the type begins; a negative number if there is none. */
  int find(AttributeType type) {
    return next(type, HEADER);
  }

  /** Returns where the next attribute of the type begins, from the beginning of an attribute on. */
  int next(AttributeType type, int from) {
    for (int at = from; at < bytes.length; at += length(at)) {
      if ((bytes[at] & 0xff) == type.number()) {
        return at;
      }
    }
    return ABSENT;
  }

  /** Returns the length of the attribute that begins there. */
  int length(int at) {
    return bytes[at + 1] & 0xff;
  }

  @Override
  public String toString() {
    return code.words() + " " + identifier() + ", " + bytes.length + " bytes";
  }
}
