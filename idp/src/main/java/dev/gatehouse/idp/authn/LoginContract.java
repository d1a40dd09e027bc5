package dev.gatehouse.idp.authn;

import dev.gatehouse.idp.totp.SecondFactor;
import java.util.Arrays;
import java.util.Optional;

/** A way to prove who one is. Each earns an {@link AuthnLevel}; what a login earns in all says {@link AuthnContexts}. */
public enum LoginContract {
  /** The zero-page contract: {@code login/direct}. */
  DIRECT("direct", AuthnLevel.PASSWORD),
  /** HTTP Basic (RFC 7617): {@code login/basic}. */
  BASIC("basic", AuthnLevel.PASSWORD),
  /** By a client that asks people for their passwords itself (RFC 6749, section 4.3). */
  GRANT("password-grant", AuthnLevel.PASSWORD),
  /** The login form. */
  PASSWORD("password", AuthnLevel.PASSWORD),
  /** An X.509 certificate in the TLS handshake, on the listener for that. */
  CERTIFICATE("certificate", AuthnLevel.CERTIFICATE),
  /** A code of an authenticator app (RFC 6238), on top of one of those above. */
  TOTP("totp", AuthnLevel.SECOND_FACTOR),
  /** A recovery code in place of the app's. */
  RECOVERY("recovery", AuthnLevel.SECOND_FACTOR);

  private final String word;
  private final AuthnLevel least;

  LoginContract(String word, AuthnLevel least) {
    this.word = word;
    this.least = least;
  }

  /** As in configuration and audit log. */
  public String word() {
    return word;
  }

  /** What it earns at least; a password earns more where nobody can listen. */
  public AuthnLevel least() {
    return least;
  }

  /** Whether it counts only together with another one. */
  public boolean isSecondStep() {
    return least == AuthnLevel.SECOND_FACTOR;
  }

  static LoginContract of(SecondFactor.Proof proof) {
    return switch (proof) {
      case APP -> TOTP;
      case RECOVERY_CODE -> RECOVERY;
    };
  }

  public static Optional<LoginContract> of(String word) {
    return Arrays.stream(values()).filter(contract -> contract.word.equals(word)).findFirst();
  }
}
