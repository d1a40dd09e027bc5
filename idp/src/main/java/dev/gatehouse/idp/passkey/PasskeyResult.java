package dev.gatehouse.idp.passkey;

import dev.gatehouse.common.passkey.Passkeys.Passkey;

/** The result of what a browser sent. A refused person is only told that it was not accepted. */
public sealed interface PasskeyResult {

  /**
   * The passkey counts.
   *
   * @param verified whether the device verified the person (WebAuthn, section 6.1, UV)
   */
  record Accepted(Passkey passkey, boolean verified) implements PasskeyResult {}

  record Refused(PasskeyRefusal reason) implements PasskeyResult {}
}
