package dev.gatehouse.idp.passkey;

import dev.gatehouse.common.passkey.Passkeys.Passkey;
import dev.gatehouse.idp.session.AuthnLevel;
import java.util.Arrays;

/**
 * What a passkey is worth. A thief of a password could enrol one: it makes no login stronger than the login that enrolled or confirmed it.
 */
public final class PasskeyLevels {

  private PasskeyLevels() {}

  /** The level that a login by this passkey achieves, if the device verified the person. */
  public static AuthnLevel of(Passkey passkey) {
    AuthnLevel enrolled =
        Arrays.stream(AuthnLevel.values()).filter(level -> level.name().equals(passkey.level())).findFirst().orElse(AuthnLevel.UNSPECIFIED);
    if (passkey.isStrong()) {
      return AuthnLevel.PASSKEY;
    }
    // A passkey is no certificate, and asserts no class of one.
    return enrolled == AuthnLevel.CERTIFICATE ? AuthnLevel.PROTECTED_PASSWORD : enrolled;
  }

  public static boolean isStrong(Passkey passkey) {
    return passkey.isStrong();
  }
}
