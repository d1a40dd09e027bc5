package dev.gatehouse.idp.otp;

import dev.gatehouse.common.otp.TokenType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Codes of a token (RFC 4226, section 5.3; RFC 6238, section 4.2). */
final class TokenCodes {

  private static final int[] POWERS = {1_000_000, 10_000_000, 100_000_000};

  private final TokenType type;
  private final Mac mac;

  TokenCodes(TokenType type, byte[] seed) {
    this.type = type;
    try {
      this.mac = Mac.getInstance(type.hash().mac());
      mac.init(new SecretKeySpec(seed, "RAW"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The code at a counter or time step. */
  String at(long counter) {
    byte[] hash = mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(counter).array());
    int offset = hash[hash.length - 1] & 0xf;
    int truncated = ByteBuffer.wrap(hash).getInt(offset) & 0x7fffffff;
    String digits = Integer.toString(truncated % POWERS[type.digits() - 6]);
    return "0".repeat(type.digits() - digits.length()) + digits;
  }

  /** The counter or time step of the code; the last one between these if several have it. Compares in constant time. */
  OptionalLong find(String code, long first, long last) {
    byte[] typed = code.getBytes(StandardCharsets.UTF_8);
    OptionalLong found = OptionalLong.empty();
    for (long counter = Math.max(0, first); counter <= last; counter++) {
      if (MessageDigest.isEqual(at(counter).getBytes(StandardCharsets.UTF_8), typed)) {
        found = OptionalLong.of(counter);
      }
    }
    return found;
  }

  /** The counter or time step of the second of two successive codes. Compares in constant time. */
  OptionalLong findPair(String first, String second, long from, long to) {
    OptionalLong found = OptionalLong.empty();
    for (long counter = Math.max(0, from); counter < to; counter++) {
      if (find(first, counter, counter).isPresent() & find(second, counter + 1, counter + 1).isPresent()) {
        found = OptionalLong.of(counter + 1);
      }
    }
    return found;
  }

  /** The time step of now (RFC 6238, section 4.2). */
  static long step(TokenType type, Instant now) {
    return Math.floorDiv(now.getEpochSecond(), type.period());
  }
}
