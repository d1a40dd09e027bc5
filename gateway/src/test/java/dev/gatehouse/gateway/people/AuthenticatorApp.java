package dev.gatehouse.gateway.people;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import java.security.InvalidKeyException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.util.encoders.Base32;

/** An app on somebody's phone that shows codes (RFC 6238). */
public final class AuthenticatorApp {

  static final Duration STEP = Duration.ofSeconds(30);

  private final SecretKeySpec secret;

  private AuthenticatorApp(SecretKeySpec secret) {
    this.secret = secret;
  }

  /** @param key in base32, with spaces as a page shows it */
  public static AuthenticatorApp typedIn(String key) {
    return new AuthenticatorApp(new SecretKeySpec(Base32.decode(key.replace(" ", "")), "RAW"));
  }

  public String code(Instant time) {
    try {
      return new TimeBasedOneTimePasswordGenerator(STEP).generateOneTimePasswordString(secret, time, Locale.ROOT);
    } catch (InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }
}
