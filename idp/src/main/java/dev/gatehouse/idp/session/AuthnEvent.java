package dev.gatehouse.idp.session;

import java.time.Instant;

/**
 * A contract that a person passed (SAML Core 2.7.2).
 *
 * @param level the level that it achieved
 */
public record AuthnEvent(Instant at, LoginContract contract, AuthnLevel level) {

  /** Returns whether it has words that versions before passkeys and tokens do not know. */
  public boolean hasNewWords() {
    return isByPasskey() || contract == LoginContract.TOKEN || level == AuthnLevel.TOKEN;
  }

  private boolean isByPasskey() {
    return contract == LoginContract.PASSKEY
        || contract == LoginContract.SYNCED_PASSKEY
        || contract == LoginContract.SECURITY_KEY
        || level == AuthnLevel.PASSKEY;
  }
}
