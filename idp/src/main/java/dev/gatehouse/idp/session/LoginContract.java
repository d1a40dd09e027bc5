package dev.gatehouse.idp.session;

import dev.gatehouse.idp.totp.SecondFactor;
import java.util.Arrays;
import java.util.Optional;

/**
 * A way to authenticate. Each achieves an {@link AuthnLevel}; {@link AuthnContexts} determines the level of a whole
 * login.
 */
public enum LoginContract {
  /** The zero-page contract: {@code login/direct}. */
  DIRECT("direct", AuthnLevel.PASSWORD),
  /** HTTP Basic (RFC 7617): {@code login/basic}. */
  BASIC("basic", AuthnLevel.PASSWORD),
  /** The grant of a client that asks people for their passwords itself (RFC 6749, section 4.3). */
  GRANT("password-grant", AuthnLevel.PASSWORD),
  /** The login form. */
  PASSWORD("password", AuthnLevel.PASSWORD),
  /** An X.509 certificate in the TLS handshake, at the listener for certificates. */
  CERTIFICATE("certificate", AuthnLevel.CERTIFICATE),
  /** A passkey whose key stays in its device, and for whose use the device verified the person (WebAuthn). */
  PASSKEY("passkey", AuthnLevel.PASSKEY),
  /** The same with a key that may be copied to other devices of the person. */
  SYNCED_PASSKEY("synced-passkey", AuthnLevel.PASSKEY),
  /** A passkey whose device did not verify the person, on top of one of the contracts above. */
  SECURITY_KEY("security-key", AuthnLevel.PASSKEY),
  /** PIN and code of a token in one field: by itself, or on top of one of the contracts above. */
  TOKEN("token", AuthnLevel.TOKEN),
  /** A code of an authenticator app (RFC 6238), on top of one of the contracts above. */
  TOTP("totp", AuthnLevel.SECOND_FACTOR),
  /** A recovery code instead of the app's code. */
  RECOVERY("recovery", AuthnLevel.SECOND_FACTOR);

  private final String word;
  private final AuthnLevel least;

  LoginContract(String word, AuthnLevel least) {
    this.word = word;
    this.least = least;
  }

  /** The word in configuration and audit log. */
  public String word() {
    return word;
  }

  /** The least level that it achieves; a password achieves more over a protected connection. */
  public AuthnLevel least() {
    return least;
  }

  /** Returns whether it counts only together with another contract. */
  public boolean isSecondStep() {
    return least == AuthnLevel.SECOND_FACTOR || this == SECURITY_KEY;
  }

  public static LoginContract of(SecondFactor.Proof proof) {
    return switch (proof) {
      case APP -> TOTP;
      case RECOVERY_CODE -> RECOVERY;
    };
  }

  public static Optional<LoginContract> of(String word) {
    return Arrays.stream(values()).filter(contract -> contract.word.equals(word)).findFirst();
  }
}
