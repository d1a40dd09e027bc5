package dev.gatehouse.idp.otp.packet;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The secret that a client and the server share: what it proves about packets, and what it hides in them. MD5 is what RADIUS has; the
 * Message-Authenticator (HMAC-MD5) is what nobody forges, and is required in each packet that lets somebody in (CVE-2024-3596).
 */
public final class SharedSecret {

  private static final int BLOCK = 64;

  /** The most bytes of a User-Password (RFC 2865, section 5.2). */
  private static final int MAX_PASSWORD = 128;

  private final byte[] secret;

  /** Digests that have read the secret, and the two keys of the HMAC; only copies of them are used. */
  private final MessageDigest afterSecret;

  private final MessageDigest inner;
  private final MessageDigest outer;

  public SharedSecret(String secret) {
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
    byte[] key = this.secret.length > BLOCK ? md5().digest(this.secret) : this.secret;
    afterSecret = md5();
    afterSecret.update(this.secret);
    inner = keyed(key, (byte) 0x36);
    outer = keyed(key, (byte) 0x5c);
  }

  private static MessageDigest keyed(byte[] key, byte pad) {
    byte[] block = Arrays.copyOf(key, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
      block[i] ^= pad;
    }
    MessageDigest digest = md5();
    digest.update(block);
    return digest;
  }

  /**
   * Returns whether the packet has a Message-Authenticator of this secret (RFC 2869, section 5.14). That of an Accounting-Request is made
   * before its Request Authenticator, over zeros.
   */
  public boolean hasMessageAuthenticator(RadiusPacket packet) {
    int at = packet.messageAuthenticator();
    if (at < 0) {
      return false;
    }
    byte[] bytes = packet.bytes();
    byte[] authenticator =
        packet.code() == PacketCode.ACCOUNTING_REQUEST ? new byte[RadiusPacket.AUTHENTICATOR_LENGTH] : packet.authenticator();
    byte[] expected = messageAuthenticator(bytes, bytes.length, authenticator, at);
    return MessageDigest.isEqual(expected, Arrays.copyOfRange(bytes, at, at + RadiusPacket.AUTHENTICATOR_LENGTH));
  }

  /** Returns whether the packet's Request Authenticator is that of an Accounting-Request with this secret (RFC 2866, section 3). */
  public boolean hasAccountingAuthenticator(RadiusPacket packet) {
    byte[] bytes = packet.bytes();
    byte[] expected = authenticator(bytes, bytes.length, new byte[RadiusPacket.AUTHENTICATOR_LENGTH]);
    return MessageDigest.isEqual(expected, packet.authenticator());
  }

  /** Returns whether the packet is a response to a request with that authenticator, from somebody with this secret. */
  public boolean isResponseTo(byte[] requestAuthenticator, RadiusPacket packet) {
    byte[] bytes = packet.bytes();
    byte[] expected = authenticator(bytes, bytes.length, requestAuthenticator);
    int at = packet.messageAuthenticator();
    boolean authentic =
        at < 0
            ? packet.code() == PacketCode.ACCOUNTING_RESPONSE
            : MessageDigest.isEqual(
                messageAuthenticator(bytes, bytes.length, requestAuthenticator, at),
                Arrays.copyOfRange(bytes, at, at + RadiusPacket.AUTHENTICATOR_LENGTH));
    return MessageDigest.isEqual(expected, packet.authenticator()) & authentic;
  }

  /** Returns the HMAC of a packet with that authenticator, and with zeros in place of the Message-Authenticator. */
  byte[] messageAuthenticator(byte[] packet, int length, byte[] authenticator, int at) {
    MessageDigest digest = copy(inner);
    digest.update(packet, 0, RadiusPacket.AUTHENTICATOR);
    digest.update(authenticator);
    digest.update(packet, RadiusPacket.HEADER, at - RadiusPacket.HEADER);
    digest.update(new byte[RadiusPacket.AUTHENTICATOR_LENGTH]);
    int behind = at + RadiusPacket.AUTHENTICATOR_LENGTH;
    digest.update(packet, behind, length - behind);
    byte[] hash = digest.digest();
    MessageDigest second = copy(outer);
    second.update(hash);
    return second.digest();
  }

  /** Returns MD5 over the packet with that authenticator, and the secret: a Response Authenticator, or that of an Accounting-Request. */
  byte[] authenticator(byte[] packet, int length, byte[] authenticator) {
    MessageDigest digest = md5();
    digest.update(packet, 0, RadiusPacket.AUTHENTICATOR);
    digest.update(authenticator);
    digest.update(packet, RadiusPacket.HEADER, length - RadiusPacket.HEADER);
    digest.update(secret);
    return digest.digest();
  }

  /** Returns the hidden form of a password (RFC 2865, section 5.2). */
  public byte[] hide(String password, byte[] requestAuthenticator) {
    byte[] plain = password.getBytes(StandardCharsets.UTF_8);
    if (plain.length > MAX_PASSWORD) {
      throw new IllegalArgumentException("a User-Password has at most " + MAX_PASSWORD + " bytes");
    }
    byte[] value = Arrays.copyOf(plain, Math.max(16, (plain.length + 15) / 16 * 16));
    byte[] previous = requestAuthenticator;
    for (int block = 0; block < value.length; block += 16) {
      byte[] mask = mask(previous);
      for (int i = 0; i < 16; i++) {
        value[block + i] ^= mask[i];
      }
      previous = Arrays.copyOfRange(value, block, block + 16);
    }
    return value;
  }

  /** Returns the password of a packet; nothing if there is none, or if it has no length or encoding of one. */
  public Optional<String> password(RadiusPacket packet) {
    return packet.value(AttributeType.USER_PASSWORD).flatMap(hidden -> reveal(hidden, packet.authenticator()));
  }

  private Optional<String> reveal(byte[] hidden, byte[] requestAuthenticator) {
    if (hidden.length == 0 || hidden.length % 16 != 0 || hidden.length > MAX_PASSWORD) {
      return Optional.empty();
    }
    byte[] plain = new byte[hidden.length];
    byte[] previous = requestAuthenticator;
    for (int block = 0; block < hidden.length; block += 16) {
      byte[] mask = mask(previous);
      for (int i = 0; i < 16; i++) {
        plain[block + i] = (byte) (hidden[block + i] ^ mask[i]);
      }
      previous = Arrays.copyOfRange(hidden, block, block + 16);
    }
    int end = plain.length;
    while (end > 0 && plain[end - 1] == 0) {
      end--;
    }
    Optional<String> text = RadiusPacket.utf8(Arrays.copyOf(plain, end));
    Arrays.fill(plain, (byte) 0);
    return text;
  }

  private byte[] mask(byte[] previous) {
    MessageDigest digest = copy(afterSecret);
    digest.update(previous);
    return digest.digest();
  }

  private static MessageDigest copy(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the JDK's MD5 can be copied", e);
    }
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has MD5", e);
    }
  }

  @Override
  public String toString() {
    return "***";
  }
}
