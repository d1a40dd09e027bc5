package dev.gatehouse.idp;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An authenticator app, written from RFC 6238 and RFC 4226, without our library. */
final class Authenticator {

  private final byte[] secret;

  private Authenticator(byte[] secret) {
    this.secret = secret;
  }

  /** Types in the key from a page. */
  static Authenticator of(String page) {
    Matcher key = Pattern.compile("class=\"key\"><code>([A-Z2-7 ]+)</code>").matcher(page);
    if (!key.find()) {
      throw new AssertionError("no key in " + page);
    }
    return new Authenticator(base32(key.group(1).replace(" ", "")));
  }

  static Authenticator of(byte[] seed) {
    return new Authenticator(seed.clone());
  }

  String code(Instant now) {
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(secret, "HmacSHA1"));
      byte[] hash = mac.doFinal(ByteBuffer.allocate(8).putLong(now.getEpochSecond() / 30).array());
      int number = ByteBuffer.wrap(hash, hash[hash.length - 1] & 15, 4).getInt() & 0x7fffffff;
      return "%06d".formatted(number % 1_000_000);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] base32(String text) {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    int buffer = 0;
    int bits = 0;
    for (char c : text.toCharArray()) {
      buffer = buffer << 5 | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c);
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.write(buffer >> bits & 255);
      }
    }
    return bytes.toByteArray();
  }
}
