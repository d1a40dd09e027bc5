package dev.gatehouse.idp.otp.packet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A packet in the making. Its first attribute is the Message-Authenticator, where it has one: so it is before everything that another
 * one could have chosen (CVE-2024-3596).
 */
public final class PacketWriter {

  private static final int MAX_VALUE = 253;

  private byte[] bytes = new byte[256];
  private int length = RadiusPacket.HEADER;
  private final PacketCode code;
  private boolean overflow;

  /** Creates a packet; all but those of accounting have a Message-Authenticator. */
  public PacketWriter(PacketCode code, int identifier) {
    this.code = code;
    bytes[0] = (byte) code.number();
    bytes[1] = (byte) identifier;
    if (code != PacketCode.ACCOUNTING_REQUEST && code != PacketCode.ACCOUNTING_RESPONSE) {
      add(AttributeType.MESSAGE_AUTHENTICATOR, new byte[RadiusPacket.AUTHENTICATOR_LENGTH]);
    }
  }

  /** Adds a value of at most 253 bytes; an empty one is left out (RFC 2865, section 5). */
  public PacketWriter add(AttributeType type, byte[] value) {
    if (value.length > MAX_VALUE) {
      throw new IllegalArgumentException(type + " has at most " + MAX_VALUE + " bytes");
    }
    if (value.length > 0 && reserve(value.length + 2)) {
      bytes[length] = (byte) type.number();
      bytes[length + 1] = (byte) (value.length + 2);
      System.arraycopy(value, 0, bytes, length + 2, value.length);
      length += value.length + 2;
    }
    return this;
  }

  public PacketWriter add(AttributeType type, String text) {
    return add(type, text.getBytes(StandardCharsets.UTF_8));
  }

  public PacketWriter add(AttributeType type, int number) {
    return add(type, new byte[] {(byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number});
  }

  /** Adds an attribute of a tunnel without tag: its first byte is zero (RFC 2868, sections 3.1 and 3.2). */
  public PacketWriter addUntagged(AttributeType type, int number) {
    if (number >>> 24 != 0) {
      throw new IllegalArgumentException(type + " has three bytes");
    }
    return add(type, number);
  }

  /** Copies all attributes of the type in their order, as they are. */
  public PacketWriter copy(AttributeType type, RadiusPacket from) {
    for (int at = from.find(type); at >= 0; at = from.next(type, at + from.length(at))) {
      int size = from.length(at);
      if (reserve(size)) {
        System.arraycopy(from.bytes(), at, bytes, length, size);
        length += size;
      }
    }
    return this;
  }

  /** Returns the response to a request with that authenticator; nothing if it would be longer than a packet may be. */
  public Optional<byte[]> response(byte[] requestAuthenticator, SharedSecret secret) {
    if (overflow) {
      return Optional.empty();
    }
    byte[] packet = finished();
    if (code != PacketCode.ACCOUNTING_RESPONSE) {
      sign(packet, requestAuthenticator, secret);
    }
    put(packet, secret.authenticator(packet, length, requestAuthenticator));
    return Optional.of(packet);
  }

  /** Returns the request with that authenticator, which must be random; that of an Accounting-Request is computed. */
  public Optional<byte[]> request(byte[] authenticator, SharedSecret secret) {
    if (overflow) {
      return Optional.empty();
    }
    byte[] packet = finished();
    if (code == PacketCode.ACCOUNTING_REQUEST) {
      put(packet, secret.authenticator(packet, length, new byte[RadiusPacket.AUTHENTICATOR_LENGTH]));
    } else {
      put(packet, authenticator);
      sign(packet, authenticator, secret);
    }
    return Optional.of(packet);
  }

  private byte[] finished() {
    byte[] packet = Arrays.copyOf(bytes, length);
    packet[2] = (byte) (length >> 8);
    packet[3] = (byte) length;
    return packet;
  }

  private void sign(byte[] packet, byte[] authenticator, SharedSecret secret) {
    int at = RadiusPacket.HEADER + 2;
    byte[] signature = secret.messageAuthenticator(packet, length, authenticator, at);
    System.arraycopy(signature, 0, packet, at, signature.length);
  }

  private static void put(byte[] packet, byte[] authenticator) {
    System.arraycopy(authenticator, 0, packet, RadiusPacket.AUTHENTICATOR, RadiusPacket.AUTHENTICATOR_LENGTH);
  }

  private boolean reserve(int more) {
    if (overflow || length + more > RadiusPacket.MAX_LENGTH) {
      overflow = true;
      return false;
    }
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.min(RadiusPacket.MAX_LENGTH, Math.max(length + more, bytes.length * 2)));
    }
    return true;
  }
}
