package dev.gatehouse.idp.otp.ocra;

import dev.gatehouse.common.otp.TokenType.Hash;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Codes by a suite (RFC 6287, section 5). */
public final class OcraCodes {

  private static final int CHALLENGE_BYTES = 128;
  private static final Map<Hash, String> DIGESTS = Map.of(Hash.SHA1, "SHA-1", Hash.SHA256, "SHA-256", Hash.SHA512, "SHA-512");

  /**
   * What a code is computed from. Parts that the suite does not name are left out.
   *
   * @param challenge at most 128 bytes, also two challenges one after the other (section 7.2)
   * @param pin in the clear
   */
  public record Input(long counter, String challenge, String pin, byte[] session, long step) {
    @Override
    public String toString() {
      return "***";
    }
  }

  private final OcraSuite suite;
  private final Mac mac;

  public OcraCodes(OcraSuite suite, byte[] seed) {
    this.suite = suite;
    try {
      this.mac = Mac.getInstance(suite.hash().mac());
      mac.init(new SecretKeySpec(seed, "RAW"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The code; the whole HMAC in hexadecimal digits if the suite truncates nothing. */
  public String of(Input input) {
    byte[] hash = mac.doFinal(data(input));
    if (suite.digits() == 0) {
      return HexFormat.of().formatHex(hash);
    }
    int offset = hash[hash.length - 1] & 0xf;
    long truncated = ByteBuffer.wrap(hash).getInt(offset) & 0x7fffffff;
    String digits = Long.toString(truncated % (long) Math.pow(10, suite.digits()));
    return "0".repeat(suite.digits() - digits.length()) + digits;
  }

  /** The code of these inputs that was typed. */
  public Optional<Input> find(String typed, Iterable<Input> candidates) {
    Optional<Input> found = Optional.empty();
    for (Input input : candidates) {
      if (isOf(input, typed)) {
        found = Optional.of(input);
      }
    }
    return found;
  }

  /** Returns whether this is the code of the inputs. Compares in constant time. */
  public boolean isOf(Input input, String typed) {
    return MessageDigest.isEqual(of(input).getBytes(StandardCharsets.UTF_8), typed.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] data(Input input) {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    data.writeBytes(suite.text().getBytes(StandardCharsets.US_ASCII));
    data.write(0);
    if (suite.counter()) {
      data.writeBytes(number(input.counter()));
    }
    data.writeBytes(padded(challenge(input.challenge())));
    suite.pin().ifPresent(hash -> data.writeBytes(digest(hash, input.pin())));
    suite.session().ifPresent(length -> data.writeBytes(session(input.session(), length)));
    suite.step().ifPresent(step -> data.writeBytes(number(input.step())));
    return data.toByteArray();
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  /** Digits become the number that they are, in hexadecimal digits from the left, as the RFC's own program does it (appendix A). */
  private byte[] challenge(String challenge) {
    return switch (suite.challenge().format()) {
      case ALPHANUMERIC -> challenge.getBytes(StandardCharsets.UTF_8);
      case NUMERIC -> hex(new BigInteger(challenge).toString(16));
      case HEXADECIMAL -> hex(challenge);
    };
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.toUpperCase(Locale.ROOT) + "0".repeat(digits.length() % 2));
  }

  private static byte[] padded(byte[] challenge) {
    if (challenge.length > CHALLENGE_BYTES) {
      throw new IllegalArgumentException("A challenge has at most " + CHALLENGE_BYTES + " bytes, not " + challenge.length);
    }
    return java.util.Arrays.copyOf(challenge, CHALLENGE_BYTES);
  }

  private static byte[] digest(Hash hash, String pin) {
    try {
      return MessageDigest.getInstance(DIGESTS.getOrDefault(hash, "SHA-1")).digest(pin.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** From the right, as numbers (appendix A). */
  private static byte[] session(byte[] session, int length) {
    if (session.length > length) {
      throw new IllegalArgumentException("The session has " + session.length + " bytes, and the suite takes " + length);
    }
    byte[] padded = new byte[length];
    System.arraycopy(session, 0, padded, length - session.length, session.length);
    return padded;
  }
}
