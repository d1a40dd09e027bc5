package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * A challenge of a visitor's home, sealed for the client and name that it was given to: nothing is stored here, because the home takes its own
 * part once. Short enough for State of RADIUS.
 *
 * @param home digest of the home's name
 * @param atHome the reference that the home gave
 */
record HomeReference(String home, String atHome) {

  /** No reference of our own begins so. */
  private static final String MARK = "~";

  private static final int DIGEST = 16;

  static boolean isOne(String reference) {
    return reference.startsWith(MARK);
  }

  static String seal(SealingKey sealing, Realm realm, PasscodeAttempt attempt, TrustedRealm home, String atHome) {
    byte[] sealed = sealing.seal((digest(home) + atHome).getBytes(StandardCharsets.US_ASCII), context(realm, attempt));
    return MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
  }

  /** Opens the reference; empty if it is not whole or was given to somebody else. */
  static Optional<HomeReference> open(SealingKey sealing, Realm realm, PasscodeAttempt attempt, String reference) {
    try {
      byte[] sealed = Base64.getUrlDecoder().decode(reference.substring(MARK.length()));
      String text = new String(sealing.open(sealed, context(realm, attempt)), StandardCharsets.US_ASCII);
      return Optional.of(new HomeReference(text.substring(0, DIGEST), text.substring(DIGEST)));
    } catch (IllegalArgumentException | IllegalStateException e) {
      return Optional.empty();
    }
  }

  boolean isOf(TrustedRealm realm) {
    return home.equals(digest(realm));
  }

  private static String[] context(Realm realm, PasscodeAttempt attempt) {
    return new String[] {"otp-home-challenge", realm.name(), attempt.client(), attempt.name()};
  }

  private static String digest(TrustedRealm home) {
    return Sha256.hex(home.name()).substring(0, DIGEST);
  }
}
