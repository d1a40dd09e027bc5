package dev.gatehouse.idp.totp;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;
import javax.crypto.spec.SecretKeySpec;

/**
 * Codes by HMAC-SHA-1 and steps of 30 s, the defaults of every authenticator app (RFC 6238, section 4). A clock may
 * differ by one step (section 5.2).
 */
final class TotpCodes {

  static final Duration STEP = Duration.ofSeconds(30);

  private static final int WINDOW = 1;

  private final TimeBasedOneTimePasswordGenerator generator;

  TotpCodes(int digits) {
    this.generator = new TimeBasedOneTimePasswordGenerator(STEP, digits);
  }

  String at(TotpSecret secret, Instant time) {
    try {
      return generator.generateOneTimePasswordString(new SecretKeySpec(secret.bytes(), "RAW"), time, Locale.ROOT);
    } catch (InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The time step of the code. Checks all steps of the window, each in constant time. */
  OptionalLong step(TotpSecret secret, String code, Instant now) {
    byte[] typed = code.getBytes(StandardCharsets.UTF_8);
    OptionalLong found = OptionalLong.empty();
    for (int i = -WINDOW; i <= WINDOW; i++) {
      Instant time = now.plus(STEP.multipliedBy(i));
      if (MessageDigest.isEqual(at(secret, time).getBytes(StandardCharsets.UTF_8), typed)) {
        found = OptionalLong.of(Math.floorDiv(time.getEpochSecond(), STEP.toSeconds()));
      }
    }
    return found;
  }
}
